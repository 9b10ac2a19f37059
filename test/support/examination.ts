import { type Check, examine } from '../../apps/server/src/doctor/check.js';
import { outsideSmokeTest } from '../../apps/server/src/doctor/checks/outside-smoke-test.js';
import { configurationChecks } from '../../apps/server/src/doctor/configuration-checks.js';
import { hasFailed, report } from '../../apps/server/src/doctor/report.js';

const PATIENCE_MS = 25_000;

/** What the doctor says, as `npm run doctor` prints it. */
export interface Examination {
  readonly failed: boolean;
  readonly text: string;
  /** Severities and texts, without remedies: `FAIL what is wrong`. */
  readonly lines: readonly string[];
}

/** Of a configuration. */
export const examineConfiguration = (variables: Readonly<Record<string, string>>) =>
  examineAll(configurationChecks(variables));

/** Of a service that runs at an origin. */
export const examineOrigin = (origin: string) => examineAll([outsideSmokeTest(origin)]);

/** As long as it takes: a machine that is busy with tests is slow, not ill. */
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

/** The lines that are not ok; that temporary files are in memory is true of this machine, not of the service. */
export const complaintsOf = ({ lines }: Examination) =>
  lines.filter((line) => !line.startsWith('ok ') && !line.includes(' is in memory (tmpfs)'));
