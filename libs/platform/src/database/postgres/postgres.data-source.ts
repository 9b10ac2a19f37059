import { Logger } from '@nestjs/common';
import { Client, type ClientBase, type Pool, type PoolConfig } from 'pg';
import { DataSource, type DataSourceOptions, type EntityManager, type QueryResult } from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { ReplicationMode } from 'typeorm/driver/types/ReplicationMode.js';
import type { IsolationLevel } from 'typeorm/driver/types/IsolationLevel.js';
import { PostgresQueryRunner } from 'typeorm/driver/postgres/PostgresQueryRunner.js';
import { Semaphore, timeLimit } from '../../limits/semaphore.js';
import { codeOf, isPlanOutdated, refusedWrite } from '../../outage.js';
import { requestAccount, RequestLocal, whileWaiting } from '../../request-context.js';
import { nameOfText, observed, sqlSpan } from '../statement-listeners.js';
import { typeormDefaults } from '../typeorm.defaults.js';

/** Time limits of a session on the server, in milliseconds; 0 is no limit. */
interface SessionLimits {
  readonly statementMs: number;
  readonly idleInTransactionMs: number;
}

/** Returns no row and sets nothing when the process id in the greeting is not that of the server behind it. */
const SET_LIMITS = `
  SELECT set_config('statement_timeout', $1, false),
    set_config('idle_in_transaction_session_timeout', $2, false)
  WHERE pg_backend_pid() = $3`;

const PATIENCE_MS = 1_000;
const BEGIN = /^(?:BEGIN|START TRANSACTION)$/i;

/** Postgres' codes for a prepared statement that does not exist, and for one that already does. */
const LOST = new Set<unknown>(['26000', '42P05']);

class PostgresSessions {
  private isNameless = false;

  constructor(private readonly limits: SessionLimits) {}

  /**
   * Sets the time limits of a new connection (PgBouncer refuses them in the startup message), and makes it prepare the
   * texts that have a name, since TypeORM sends none. Behind a pooler, recognised by a process id in its greeting that
   * is not the server's, each transaction gets any connection: the limits are set in each transaction, a statement
   * outside of one has those of its database user (`ALTER ROLE`), and no statement has a name.
   */
  async open(client: ClientBase): Promise<void> {
    const isOurs = await this.setLimits(client);
    client.query = new Proxy(client.query, {
      apply: (query, self, [what, ...rest]: unknown[]) => {
        const send = (written: unknown): unknown => Reflect.apply(query, self, [written, ...rest]);
        const answer = isOurs ? this.named(client, what, send) : send(this.forPooler(what));
        if (answer instanceof Promise) answer.catch((error) => hangUpWhenUseless(client, error));
        return answer;
      },
    });
  }

  private async setLimits(client: ClientBase): Promise<boolean> {
    const { statementMs, idleInTransactionMs } = this.limits;
    const greetedBy = 'processID' in client ? client.processID : null;
    const setLimits = {
      text: SET_LIMITS,
      values: [String(statementMs), String(idleInTransactionMs), greetedBy],
      query_timeout: PATIENCE_MS,
    };
    const { rowCount } = await client.query(setLimits);
    return rowCount !== 0;
  }

  private forPooler(what: unknown): unknown {
    const { statementMs, idleInTransactionMs } = this.limits;
    if (typeof what === 'string') {
      return BEGIN.test(what)
        ? `${what}; SET LOCAL statement_timeout = ${statementMs}; SET LOCAL idle_in_transaction_session_timeout = ${idleInTransactionMs}`
        : what;
    }
    const isConfig = typeof what === 'object' && what !== null && !('submit' in what);
    return isConfig ? { ...what, name: undefined } : what;
  }

  private named(client: ClientBase, what: unknown, send: (what: unknown) => unknown): unknown {
    const name = typeof what === 'string' && !this.isNameless ? nameOfText(what) : undefined;
    return name === undefined ? send(what) : this.sendNamed(client, { name, text: what }, send);
  }

  /**
   * Retries without the name when the prepared statement is unknown or outdated. Inside a transaction, which the
   * failure has aborted, the retry fails too; then the first error is thrown.
   */
  private async sendNamed(
    client: ClientBase,
    query: { readonly name: string; readonly text: unknown },
    send: (what: unknown) => unknown,
  ): Promise<unknown> {
    try {
      return await send(query);
    } catch (error) {
      if (LOST.has(codeOf(error))) this.doWithoutNames();
      else if (!isPlanOutdated(error)) throw error;
      const answer = await Promise.resolve(send(query.text)).catch(() => {
        throw error;
      });
      void hangUpWhenUseless(client, error);
      return answer;
    }
  }

  private doWithoutNames(): void {
    if (this.isNameless) return;
    this.isNameless = true;
    new Logger('Postgres').warn(
      'prepared statements get lost: what stands in front of Postgres shares its connections, as a pooler in transaction mode does; from now on statements have no names, which costs some speed',
    );
  }
}

/**
 * Closes a connection that must not be used again: one whose answer never came, behind which pg would queue the next
 * query; one with an outdated statement; and one to a server that is read-only, as after a failover.
 */
async function hangUpWhenUseless(client: ClientBase, error: unknown): Promise<void> {
  const unanswered = error instanceof Error && error.message === 'Query read timeout';
  const isUseless = unanswered || isPlanOutdated(error) || refusedWrite(error) === 'read-only';
  if (isUseless && client instanceof Client) await client.end();
}

/** Of a statement that may wait for a row that another one holds. */
const WRITES = /\b(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\b/i;

class BoundedPostgresQueryRunner extends PostgresQueryRunner {
  constructor(
    driver: PostgresDriver,
    mode: ReplicationMode,
    private readonly bound: <T>(work: () => Promise<T>) => Promise<T>,
  ) {
    super(driver, mode);
  }

  override query(sql: string, parameters: unknown[], structured: true): Promise<QueryResult>;
  override query(sql: string, parameters?: unknown[], structured?: boolean): Promise<unknown>;
  override query(sql: string, parameters?: unknown[], structured?: boolean): Promise<unknown> {
    const query = () => super.query(sql, parameters, structured);
    // One that has a connection already would keep it from others while it waits.
    const isBound = this.databaseConnection === undefined && WRITES.test(sql);
    const work = isBound ? () => this.bound(query) : query;
    return observed(this.connection, () => sqlSpan('postgres', sql), work);
  }
}

type PostgresOptions = Extract<DataSourceOptions, { type: 'postgres' }>;

const POOL_SIZE = 12;
/** Transactions without an account, such as recoveries: one that holds a row keeps others waiting. */
const WITHOUT_ACCOUNT = 6;
/** Two connections are left to reads. */
const CHANGES = { perKey: 1, inAll: POOL_SIZE - 2 };
const STATEMENT_TIMEOUT_MS = 5000;
const IDLE_IN_TRANSACTION_MS = 10_000;

/** Limits every wait: 1 s for a free connection, 5 s for a statement on the server, 6 s for its answer. */
export function postgresOptions(url: string): PostgresOptions {
  return {
    ...typeormDefaults,
    type: 'postgres',
    url,
    applicationName: 'gatehouse',
    poolSize: POOL_SIZE,
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

/** Only the start waits for the first connection, on a machine that may be starting other processes too. */
const FIRST_CONNECT_MS = 10_000;

type Work<T> = (manager: EntityManager) => Promise<T>;

const inTransaction = new RequestLocal<true>();

/**
 * A pool whose first connection may take longer than `connectTimeoutMS`, which applies to all later ones. Transactions,
 * and single statements that write, begin one after the other in requests of an account: most lock its row, and would
 * wait for it with a connection each. Those of requests without an account have no such order, but transactions at most
 * six places.
 */
export class PostgresDataSource extends DataSource {
  private readonly connectMs: number | undefined;
  private readonly changes = new Semaphore(CHANGES);
  private withoutAccount = 0;

  constructor(options: PostgresOptions) {
    super({ ...options, connectTimeoutMS: FIRST_CONNECT_MS });
    this.connectMs = options.connectTimeoutMS;
    const driver = this.driver as PostgresDriver;
    const bound = <T>(write: () => Promise<T>) => this.bound(this.nextKey(Infinity), write);
    driver.createQueryRunner = (mode) => new BoundedPostgresQueryRunner(driver, mode, bound);
  }

  override transaction<T>(work: Work<T>): Promise<T>;
  override transaction<T>(isolation: IsolationLevel, work: Work<T>): Promise<T>;
  override async transaction<T>(...args: [Work<T>] | [IsolationLevel, Work<T>]): Promise<T> {
    const begin = () => super.transaction<T>(...(args as [Work<T>]));
    const change = () => inTransaction.run(true, begin);
    return this.bound(this.nextKey(WITHOUT_ACCOUNT), change, whileWaiting);
  }

  /** `waiting` is given the wait for a place. */
  private async bound<T>(
    key: string,
    change: () => Promise<T>,
    waiting = (wait: () => Promise<boolean>) => wait(),
  ): Promise<T> {
    if (inTransaction.get()) return change();
    const { changes } = this;
    if (!changes.tryAcquire(key)) {
      const limit = timeLimit(STATEMENT_TIMEOUT_MS);
      const isTurn = await waiting(() => changes.acquire(key, limit));
      if (!isTurn) throw new Error('timeout exceeded when trying to connect: others are in turn');
    }
    try {
      return await change();
    } finally {
      changes.release(key);
    }
  }

  /** The account of the request; without one, the next of this number of lines in turn. */
  private nextKey(lines: number) {
    this.withoutAccount += 1;
    return requestAccount.get() ?? `${lines} ${this.withoutAccount % lines}`;
  }

  override async initialize(): Promise<this> {
    await super.initialize();
    const pool = (this.driver as PostgresDriver).master as Pool;
    pool.options.connectionTimeoutMillis = this.connectMs;
    return this;
  }
}
