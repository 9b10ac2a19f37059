import { setTimeout as sleep } from 'node:timers/promises';
import { fail, type Finding } from './finding.js';
import { errorDetails } from './network-errors.js';

const LIMIT_MS = 5_000;

/** A check of one subject. A slow check yields its findings as they arrive. */
export interface Check {
  readonly title: string;
  /** Default: 5 seconds. */
  readonly limitMs?: number;
  readonly findings: () => Iterable<Finding> | AsyncIterable<Finding>;
}

export interface Section {
  readonly title: string;
  readonly findings: readonly Finding[];
}

/** Runs a check until it ends or reaches its time limit, and keeps the findings so far. Never rejects. */
export async function examine({ title, limitMs = LIMIT_MS, findings }: Check): Promise<Section> {
  const found: Finding[] = [];
  const waiting = new AbortController();
  try {
    const isDone = await Promise.race([
      collect(findings(), found),
      sleep(limitMs, false, { signal: waiting.signal }),
    ]);
    if (!isDone) found.push(tooSlow(limitMs));
  } catch (error) {
    found.push(broken(error));
  } finally {
    waiting.abort();
  }
  return { title, findings: [...found] };
}

async function collect(findings: ReturnType<Check['findings']>, found: Finding[]): Promise<true> {
  for await (const finding of findings) found.push(finding);
  return true;
}

const tooSlow = (limitMs: number) =>
  fail(
    `this check did not end within ${limitMs / 1000} s`,
    'something it asked does not answer: look at the network, the disk and the load of the machine',
  );

const broken = (error: unknown) =>
  fail(
    `this check could not be made: ${errorDetails(error).message}`,
    'when the service starts all the same, report this line as a fault of the doctor',
  );
