import { isNativeError } from 'node:util/types';
import {
  ConnectionIsNotSetError,
  QueryFailedError,
  QueryResult,
  QueryRunnerAlreadyReleasedError,
  TransactionAlreadyStartedError,
  TransactionNotStartedError,
  TypeORMError,
} from 'typeorm';
import type { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { SqliteQueryRunner } from 'typeorm/driver/sqlite/SqliteQueryRunner.js';
import { sqlSpan } from '../sql-span.js';
import { observed } from '../statement-listeners.js';
import type { SqliteTransaction } from './sqlite.transaction.js';
import { type Change, parseStatement, type Outcome, type Statement } from './statement.js';

/**
 * The connections that all runners of a driver share: one for all reads, and one that a single write or transaction
 * at a time uses exclusively. The driver implements it.
 */
export interface SqliteConnections {
  /** Outside a transaction. */
  execute(...change: Change): Promise<Outcome>;
  /** Resolves when the transaction has begun, after waiting for others if necessary. */
  begin(checkForeignKeys: boolean): Promise<SqliteTransaction>;
}

type Query = readonly [sql: string, parameters?: unknown[]];

const BEGIN = sqlSpan('sqlite', 'BEGIN');
const COMMIT = sqlSpan('sqlite', 'COMMIT');

/**
 * A separate runner, as from a pool: transactions of other runners never affect it. Every transaction is
 * serializable, whatever isolation level is requested. Releasing the runner rolls back a transaction that is still
 * open. It does not notify TypeORM subscribers, of which our data sources have none.
 */
export class PooledSqliteQueryRunner extends SqliteQueryRunner {
  declare driver: SqliteDriver & SqliteConnections;
  private transaction: SqliteTransaction | undefined;
  private checkForeignKeys = true;

  /** Disables foreign keys for the next transaction: TypeORM changes a table by replacing it. */
  override async beforeMigration(): Promise<void> {
    this.checkForeignKeys = false;
  }

  override async afterMigration(): Promise<void> {
    this.checkForeignKeys = true;
  }

  override async startTransaction(): Promise<void> {
    this.refuseWhenReleased();
    if (this.transactionDepth > 0) {
      this.transactionDepth += 1;
      await this.query(`SAVEPOINT typeorm_${this.transactionDepth - 1}`);
      return;
    }
    if (this.isTransactionActive) throw new TransactionAlreadyStartedError();
    this.isTransactionActive = true;
    const begin = () => this.driver.begin(this.checkForeignKeys);
    try {
      this.transaction = await observed(this.connection, () => BEGIN, begin);
    } catch (error) {
      this.isTransactionActive = false;
      throw failed(['BEGIN IMMEDIATE'], error);
    }
    this.transactionDepth = 1;
    if (this.isReleased) await this.end((transaction) => transaction.rollback());
    this.refuseWhenReleased();
  }

  override async commitTransaction(): Promise<void> {
    if (this.transactionDepth > 1) {
      await this.query(`RELEASE SAVEPOINT typeorm_${this.transactionDepth - 1}`);
      this.transactionDepth -= 1;
      return;
    }
    await this.end((transaction) =>
      observed(
        this.connection,
        () => COMMIT,
        () => transaction.commit(),
      ).catch((error: unknown) => {
        throw failed(['COMMIT'], error);
      }),
    );
  }

  override async rollbackTransaction(): Promise<void> {
    if (this.transactionDepth > 1) {
      this.transactionDepth -= 1;
      await this.query(`ROLLBACK TO SAVEPOINT typeorm_${this.transactionDepth}`);
      return;
    }
    await this.end((transaction) => transaction.rollback());
  }

  override async release(): Promise<void> {
    if (this.isReleased) return;
    this.isReleased = true;
    await super.release();
    if (this.transaction) await this.end((transaction) => transaction.rollback());
  }

  override query(sql: string, parameters: unknown[], structured: true): Promise<QueryResult>;
  override query(sql: string, parameters?: unknown[], structured?: boolean): Promise<unknown>;
  override async query(sql: string, parameters?: unknown[], structured = false): Promise<unknown> {
    const result = await this.queryAll([[sql, parameters]]);
    return structured ? result : result.raw;
  }

  /**
   * Statements that take effect together, or only the first one when it changes no row; resolves with the result of
   * the first. Several statements have to be changes without RETURNING.
   */
  async queryAll(queries: readonly [Query, ...Query[]]): Promise<QueryResult> {
    this.refuseWhenReleased();
    if (!this.connection.isInitialized) throw new ConnectionIsNotSetError('sqlite');
    for (const [sql, parameters] of queries) this.connection.logger.logQuery(sql, parameters, this);
    const [first, ...others] = queries;
    const statement = parseStatement(...first);
    const work = () =>
      this.execute([statement, ...others.map((other) => parseStatement(...other))]);
    try {
      const outcome = await observed(this.connection, () => sqlSpan('sqlite', first[0]), work);
      return toQueryResult(statement, outcome);
    } catch (error) {
      throw failed(first, error);
    }
  }

  private async execute(change: Change): Promise<Outcome> {
    const [{ control, sql }] = change;
    if (control === 'transaction' || (control && !this.isTransactionActive)) {
      throw new TypeORMError(`Use the query runner's own methods instead of "${sql}"`);
    }
    return (this.isTransactionActive ? this.current() : this.driver).execute(...change);
  }

  /** The transaction is over afterwards, even when this rejects. */
  private async end(how: (transaction: SqliteTransaction) => Promise<void>): Promise<void> {
    try {
      await how(this.current());
    } finally {
      this.transaction = undefined;
      this.isTransactionActive = false;
      this.transactionDepth = 0;
    }
  }

  private current(): SqliteTransaction {
    if (!this.transaction) throw new TransactionNotStartedError();
    return this.transaction;
  }

  private refuseWhenReleased(): void {
    if (this.isReleased) throw new QueryRunnerAlreadyReleasedError();
  }
}

/** TypeORM's result shapes: an INSERT's `raw` is the last row id. */
function toQueryResult(statement: Statement, { rows, lastId, changes }: Outcome): QueryResult {
  const result = new QueryResult();
  result.raw = statement.inserts ? (rows ?? lastId) : rows;
  if (rows) result.records = rows;
  result.affected = changes ?? (statement.reads ? undefined : rows?.length);
  return result;
}

/** `instanceof Error` would miss a native module's errors in another realm, such as jest's. */
function failed([sql, parameters]: Query, error: unknown): Error {
  if (error instanceof TypeORMError) return error;
  return new QueryFailedError(
    sql,
    parameters,
    isNativeError(error) ? error : new Error(String(error)),
  );
}
