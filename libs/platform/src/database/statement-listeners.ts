import type { DataSource } from 'typeorm';
import { type SpanDescription, inSpan } from '../trace/trace.js';

/** Receives the duration of a statement, including the wait for its connection or lock, and its error. */
export type StatementListener = (seconds: number, error?: unknown) => void;

const listeners = new WeakMap<DataSource, StatementListener>();

/** Reports every further statement of a data source to the listener, which replaces an earlier one. */
export function listenToStatements(dataSource: DataSource, listener: StatementListener): void {
  listeners.set(dataSource, listener);
}

/** Runs a statement in a span and reports it to the listener; free of cost without either. */
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
