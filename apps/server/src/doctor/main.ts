import { describeStartFailure } from '../start-failure.js';
import { examine } from './check.js';
import { configurationChecks } from './configuration-checks.js';
import { outsideSmokeTest } from './checks/outside-smoke-test.js';
import { hasFailed, report } from './report.js';

try {
  const [address] = process.argv.slice(2);
  const checks = address === undefined ? configurationChecks() : [outsideSmokeTest(address)];
  const sections = await Promise.all(checks.map(examine));
  process.stdout.write(report(sections, process.stdout.isTTY));
  process.exit(hasFailed(sections) ? 1 : 0);
} catch (error) {
  process.stderr.write(describeStartFailure(error));
  process.exit(1);
}
