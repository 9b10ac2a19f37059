import { Client, type ClientBase, type PoolConfig } from 'pg';
import type { DataSourceOptions } from 'typeorm';
import { refusedWrite } from '../refused-write.js';
import { typeormDefaults } from '../typeorm.defaults.js';
import { isPlanOutdated } from './outdated-plan.js';
import { limitSession } from './postgres.session.js';

export type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

const STATEMENT_TIMEOUT_MS = 5000;
const IDLE_IN_TRANSACTION_MS = 10_000;

const POOL = poolWith(STATEMENT_TIMEOUT_MS, STATEMENT_TIMEOUT_MS + 1000);

/**
 * Nothing waits for ever: a free connection 1 s, a statement 5 s on the server, an answer 6 s.
 * TypeORM listens for the pool's errors, so that the death of an idle connection is only a loss.
 */
export function postgresOptions(url: string): PostgresOptions {
  return {
    ...typeormDefaults,
    type: 'postgres',
    url,
    applicationName: 'gatehouse',
    poolSize: 10,
    connectTimeoutMS: 1000,
    extra: POOL,
  };
}

/** The same database without a limit to what a statement takes, for schema changes. */
export function withoutTimeouts(options: PostgresOptions): PostgresOptions {
  return { ...options, extra: poolWith(0, 0) };
}

function poolWith(statementMs: number, answerMs: number): PoolConfig {
  return {
    query_timeout: answerMs,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    // The pool waits for it before it hands the connection out.
    onConnect: (client) => {
      hangUpWhenUseless(client);
      return limitSession(client, { statementMs, idleInTransactionMs: IDLE_IN_TRANSACTION_MS });
    },
  };
}

/**
 * pg gives a connection whose answer never came back to the pool, where the next query waits behind
 * the lost one. Closing it instead also spares a transaction the wait for its ROLLBACK. So is one that
 * knows a statement by columns of another type than they have, and one to a server that has become read-only: after
 * a failover the next connection may lead to the primary.
 */
function hangUpWhenUseless(client: ClientBase): void {
  client.query = new Proxy(client.query, {
    apply(query, self, args) {
      const answer: unknown = Reflect.apply(query, self, args);
      if (answer instanceof Promise) answer.catch((error) => closeWhenUseless(client, error));
      return answer;
    },
  });
}

async function closeWhenUseless(client: ClientBase, error: unknown): Promise<void> {
  const unanswered = error instanceof Error && error.message === 'Query read timeout';
  const isUseless = unanswered || isPlanOutdated(error) || refusedWrite(error) === 'read-only';
  if (isUseless && client instanceof Client) await client.end();
}
