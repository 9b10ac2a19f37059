import type { DataSource } from 'typeorm';
import { type SpanDescription, inSpan } from '../trace/trace.js';

/** Hears how long a statement took, the wait for its connection or lock included, and what it failed with. */
export type StatementListener = (seconds: number, error?: unknown) => void;

const listeners = new WeakMap<DataSource, StatementListener>();

/** Has the listener hear of every statement of a data source from now on; it replaces an earlier one. */
export function listenToStatements(dataSource: DataSource, listener: StatementListener): void {
  listeners.set(dataSource, listener);
}

/** Carries out a statement in a span, and tells the listener; costs nothing where there is neither. */
export function observed<T>(
  dataSource: DataSource,
  describe: () => SpanDescription,
  work: () => Promise<T>,
): Promise<T> {
  const listener = listeners.get(dataSource);
  return inSpan(describe, listener === undefined ? work : () => timed(listener, work));
}

export async function timed<T>(listener: StatementListener, work: () => Promise<T>): Promise<T> {
  const startedAt = performance.now();
  const seconds = () => (performance.now() - startedAt) / 1000;
  try {
    const result = await work();
    listener(seconds());
    return result;
  } catch (error) {
    listener(seconds(), error);
    throw error;
  }
}
