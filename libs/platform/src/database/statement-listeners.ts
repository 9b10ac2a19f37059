import { hash } from 'node:crypto';
import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { inSpan, type SpanDescription } from '../trace.js';

/** Receives the duration of a statement or command, including the wait for a connection or lock, and its error. */
type StatementListener = (seconds: number, error?: unknown) => void;

type Store = DataSource | Redis;

const listeners = new WeakMap<Store, StatementListener>();

/** Reports every further statement or command to the listener, which replaces an earlier one. */
export function listenToStatements(store: Store, listener: StatementListener): void {
  listeners.set(store, listener);
}

export const listenerOf = (store: Store): StatementListener | undefined => listeners.get(store);

export function observed<T>(
  dataSource: DataSource,
  describe: () => SpanDescription,
  work: () => Promise<T>,
): Promise<T> {
  const listener = listenerOf(dataSource);
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

const SYSTEMS = { postgres: 'postgresql', sqlite: 'sqlite' };

type Database = keyof typeof SYSTEMS;

const VERB = /^\s*([A-Za-z]{1,16})/;

/** For a named statement: its text may be recorded, because it has placeholders instead of values. */
export const namedSqlSpan = (type: Database, name: string, text: string): SpanDescription => ({
  name,
  kind: 'client',
  attributes: { 'db.system.name': SYSTEMS[type], 'db.query.summary': name, 'db.query.text': text },
  isLeaf: true,
});

/** For any other statement: only its verb is recorded, because its text may contain values. */
export function sqlSpan(type: Database, text: string): SpanDescription {
  const verb = VERB.exec(text)?.[1]?.toUpperCase() ?? 'SQL';
  const attributes = { 'db.system.name': SYSTEMS[type], 'db.operation.name': verb };
  return { name: verb, kind: 'client', attributes, isLeaf: true };
}

const DIGEST_CHARACTERS = 8;

const names = new Map<string, string>();

/** Makes Postgres connections prepare a text under a name that is unique to it: poolers share connections. */
export function nameText(text: string, name: string): void {
  names.set(text, `${name} ${hash('sha256', text).slice(0, DIGEST_CHARACTERS)}`);
}

export const nameOfText = (text: string): string | undefined => names.get(text);
