import type { PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { typeormDefaults } from '../typeorm.defaults.js';
import { PostgresSessions } from './postgres.session.js';

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

const STATEMENT_TIMEOUT_MS = 5000;
const IDLE_IN_TRANSACTION_MS = 10_000;

/**
 * Limits every wait: 1 s for a free connection, 5 s for a statement on the server, 6 s for its answer. TypeORM
 * listens for the pool's errors, so the death of an idle connection does not crash the process.
 */
export function postgresOptions(url: string): PostgresOptions {
  return {
    ...typeormDefaults,
    type: 'postgres',
    url,
    applicationName: 'gatehouse',
    poolSize: 10,
    connectTimeoutMS: 1000,
    extra: poolWith(STATEMENT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS + 1000),
  };
}

/** The same database without a time limit for statements, for schema changes. */
export function withoutTimeouts(options: PostgresOptions): PostgresOptions {
  return { ...options, extra: poolWith(0, 0) };
}

function poolWith(statementMs: number, answerMs: number): PoolConfig {
  const limits = { statementMs, idleInTransactionMs: IDLE_IN_TRANSACTION_MS };
  const sessions = new PostgresSessions(limits);
  return {
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The pool waits for this before it hands out the connection.
    onConnect: (client) => sessions.open(client),
  };
}
