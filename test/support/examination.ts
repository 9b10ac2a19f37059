import { configurationChecks } from '../../apps/server/src/doctor/doctor.js';
import { type Check, examine, hasFailed, report } from '../../apps/server/src/doctor/finding.js';
import { outsideSmokeTest } from '../../apps/server/src/doctor/smoke-test.js';

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
  const sections = await Promise.all(checks.map((one) => examine(one, PATIENCE_MS)));
  const findings = sections.flatMap((section) => section.findings);
  return {
    failed: hasFailed(sections),
    text: report(sections),
    lines: findings.map(({ severity, text }) => `${severity} ${text}`),
  };
}

/** The lines that are not ok. */
export const complaintsOf = ({ lines }: Examination) =>
  lines.filter((line) => !line.startsWith('ok '));
