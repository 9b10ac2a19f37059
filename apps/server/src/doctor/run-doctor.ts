import { describeStartFailure } from '../start-failure.js';
import { examine } from './check.js';
import { configurationChecks } from './configuration-checks.js';
import { outsideSmokeTest } from './checks/outside-smoke-test.js';
import { hasFailed, report } from './report.js';

/**
 * Runs the doctor as this process: on the configuration, or with an origin as the only argument on what
 * runs there. The exit code is 1 when anything failed.
 */
export async function runDoctor([address]: readonly string[]): Promise<never> {
  try {
    const checks = address === undefined ? configurationChecks() : [outsideSmokeTest(address)];
    const sections = await Promise.all(checks.map(examine));
    process.stdout.write(report(sections, process.stdout.isTTY));
    process.exit(hasFailed(sections) ? 1 : 0);
  } catch (error) {
    process.stderr.write(describeStartFailure(error));
    process.exit(1);
  }
}
