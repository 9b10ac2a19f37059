import { setTimeout as sleep } from 'node:timers/promises';

/** `ok`: as it should be. `warn`: works, but probably not as intended. `FAIL`: does not work. */
type Severity = 'ok' | 'warn' | 'FAIL';

/** One result of the doctor; the remedy says what to do about it. */
export interface Finding {
  readonly severity: Severity;
  readonly text: string;
  readonly remedy?: string;
}

/** A check of one subject: a generator, which begins when it is asked and yields its findings as they arrive. */
export interface Check {
  readonly title: string;
  readonly findings: Iterable<Finding> | AsyncIterable<Finding>;
}

export interface Examination {
  readonly title: string;
  readonly findings: readonly Finding[];
}

export const ok = (text: string): Finding => ({ severity: 'ok', text });

export const warn = (text: string, remedy: string): Finding => ({ severity: 'warn', text, remedy });

export const fail = (text: string, remedy: string): Finding => ({ severity: 'FAIL', text, remedy });

/** Runs a check until it ends or reaches its time limit, and keeps the findings so far. Never rejects. */
export async function examine({ title, findings }: Check, limitMs = 10_000): Promise<Examination> {
  const found: Finding[] = [];
  const waiting = new AbortController();
  const collect = async () => {
    for await (const finding of findings) found.push(finding);
    return true;
  };
  try {
    const isDone = await Promise.race([
      collect(),
      sleep(limitMs, false, { signal: waiting.signal }),
    ]);
    if (!isDone) {
      found.push(
        fail(
          `this check did not end within ${limitMs / 1000} s`,
          'something it asked does not answer: look at the network, the disk and the load of the machine',
        ),
      );
    }
  } catch (error) {
    found.push(
      fail(
        `this check could not be made: ${(error as Error).message}`,
        'when the service starts all the same, report this line as a fault of the doctor',
      ),
    );
  } finally {
    waiting.abort();
  }
  return { title, findings: [...found] };
}

/** The report as text: a heading for each section, and each finding after its severity. */
export function report(sections: readonly Examination[]): string {
  const lines = sections.flatMap(({ title, findings }) => [
    printable(title),
    ...findings.flatMap(({ severity, text, remedy }) => [
      `  ${severity.padEnd(4)}  ${printable(text)}`,
      ...(remedy === undefined ? [] : [`        -> ${printable(remedy)}`]),
    ]),
    '',
  ]);
  const failures = count(sections, 'FAIL');
  const warnings = count(sections, 'warn');
  const summary =
    failures + warnings === 0
      ? 'Nothing is wrong.'
      : `${amount(failures, 'failure')}, ${amount(warnings, 'warning')}.`;
  return [...lines, summary, ''].join('\n');
}

export const hasFailed = (sections: readonly Examination[]): boolean => count(sections, 'FAIL') > 0;

const amount = (n: number, noun: string) => `${n} ${noun}${n === 1 ? '' : 's'}`;

const count = (sections: readonly Examination[], severity: Severity) =>
  sections.flatMap(({ findings }) => findings).filter((one) => one.severity === severity).length;

/** Some words come from the servers under test and must not control a terminal. */
const printable = (text: string) => text.replaceAll(/[^\u0020-\u007E]/gu, '?');
