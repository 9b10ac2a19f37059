import type { Extension } from '../app.module-definition.js';
import { describeStartFailure } from '../start-failure.js';
import { examine } from './check.js';
import { configurationChecks } from './configuration-checks.js';
import { outsideSmokeTest } from './checks/outside-smoke-test.js';
import { hasFailed, report } from './report.js';

/**
 * Runs the doctor in this process: on the configuration, or with an origin as its only argument on the service
 * deployed there. `extensions` take part in the checks of the configuration. The exit code is 1 when any check
 * failed.
 */
export async function runDoctor(
  [address]: readonly string[],
  extensions: readonly Extension[] = [],
): Promise<never> {
  try {
    const checks =
      address === undefined
        ? configurationChecks(process.env, extensions)
        : [outsideSmokeTest(address)];
    const sections = await Promise.all(checks.map(examine));
    process.stdout.write(report(sections, process.stdout.isTTY));
    process.exit(hasFailed(sections) ? 1 : 0);
  } catch (error) {
    process.stderr.write(describeStartFailure(error));
    process.exit(1);
  }
}
