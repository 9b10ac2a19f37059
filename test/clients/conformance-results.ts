/** The summary of a run of the suite, in numbers of checks. */
export interface ConformanceResults {
  readonly passed: number;
  readonly failed: number;
  /** Scenarios with checks, all of which passed. */
  readonly clean: readonly string[];
  /** Scenarios that ran without any check. */
  readonly idle: readonly string[];
}

const SCENARIO = /^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm;
const TOTAL = /^Total: (\d+) passed, (\d+) failed/m;

/** @throws Error for a run without checks, because it proves nothing */
export function readResults(output: string): ConformanceResults {
  const [, passed = 0, failed = 0] = TOTAL.exec(output)?.map(Number) ?? [];
  if (passed + failed === 0) throw new Error(`the suite checked nothing:\n${output}`);
  const scenarios = Array.from(output.matchAll(SCENARIO), ([, name = '', good, bad]) => ({
    name,
    good: Number(good),
    bad: Number(bad),
  }));
  return {
    passed,
    failed,
    clean: scenarios.filter(({ good, bad }) => good > 0 && bad === 0).map(({ name }) => name),
    idle: scenarios.filter(({ good, bad }) => good + bad === 0).map(({ name }) => name),
  };
}
