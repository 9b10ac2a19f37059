import { setTimeout as sleep } from 'node:timers/promises';

/** One result of the doctor; the remedy says what to do about it. */
export interface Finding {
  /** `ok`: as it should be. `warn`: works, but probably not as intended. `FAIL`: does not work. */
  readonly severity: 'ok' | 'warn' | 'FAIL';
  readonly text: string;
  readonly remedy?: string;
}

/** A check of one subject: a generator, which begins when it is asked and yields its findings as they arrive. */
export interface Check {
  readonly title: string;
  readonly findings: Iterable<Finding> | AsyncIterable<Finding>;
}

interface Examination {
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
  };
  const limit = async () => {
    await sleep(limitMs, undefined, { signal: waiting.signal });
    throw new Error(`it did not end within ${limitMs / 1000} s`);
  };
  try {
    await Promise.race([collect(), limit()]);
  } catch (error) {
    found.push(
      fail(
        `this check could not be made: ${(error as Error).message}`,
        'look at the network, the disk and the load of the machine; report it as a fault of the doctor if the service starts all the same',
      ),
    );
  } finally {
    waiting.abort();
  }
  return { title, findings: [...found] };
}

export function report(sections: readonly Examination[]): string {
  const linesOf = ({ severity, text, remedy }: Finding) => {
    const line = `  ${severity.padEnd(4)}  ${text}`;
    return remedy === undefined ? [line] : [line, `        -> ${remedy}`];
  };
  const lines = sections
    .filter(({ findings }) => findings.length > 0)
    .flatMap(({ title, findings }) => [title].concat(findings.flatMap(linesOf), ''))
    .map(printable);
  const [failures, warnings] = [count(sections, 'FAIL'), count(sections, 'warn')];
  const summary =
    failures + warnings === 0
      ? 'Nothing is wrong.'
      : `Failures: ${failures}, warnings: ${warnings}.`;
  return [...lines, summary, ''].join('\n');
}

export const hasFailed = (sections: readonly Examination[]): boolean => count(sections, 'FAIL') > 0;

const count = (sections: readonly Examination[], severity: Finding['severity']) =>
  sections.flatMap(({ findings }) => findings).filter((one) => one.severity === severity).length;

/** Some words come from the servers under test and must not control a terminal. */
const printable = (text: string) => text.replaceAll(/[^\u0020-\u007E]/gu, '?');
