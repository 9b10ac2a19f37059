import { type Check, examine } from '../../apps/server/src/doctor/check.js';
import { outsideSmokeTest } from '../../apps/server/src/doctor/checks/outside-smoke-test.js';
import { configurationChecks } from '../../apps/server/src/doctor/configuration-checks.js';
import { hasFailed, report } from '../../apps/server/src/doctor/report.js';

const PATIENCE_MS = 25_000;

/** The doctor's report, as `npm run doctor` prints it. */
export interface Examination {
  readonly failed: boolean;
  readonly text: string;
  /** Severities and texts, without remedies: `FAIL what is wrong`. */
  readonly lines: readonly string[];
}

/** Examines a configuration. */
export const examineConfiguration = (variables: Readonly<Record<string, string>>) =>
  examineAll(configurationChecks(variables));

/** Examines a service that runs at an origin. */
export const examineOrigin = (origin: string) => examineAll([outsideSmokeTest(origin)]);

/** Without time limits, because a machine that runs tests is slow. */
async function examineAll(checks: readonly Check[]): Promise<Examination> {
  const sections = await Promise.all(
    checks.map((one) => examine({ ...one, limitMs: PATIENCE_MS })),
  );
  const findings = sections.flatMap((section) => section.findings);
  return {
    failed: hasFailed(sections),
    text: report(sections, false),
    lines: findings.map(({ severity, text }) => `${severity} ${text}`),
  };
}

/** The lines that are not ok, except the one about temporary files in memory, which concerns this machine only. */
export const complaintsOf = ({ lines }: Examination) =>
  lines.filter((line) => !line.startsWith('ok ') && !line.includes(' is in memory (tmpfs)'));
