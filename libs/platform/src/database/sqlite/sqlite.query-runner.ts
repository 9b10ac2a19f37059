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
 * What all runners of a driver share: a connection that everyone reads on at once, and one that a
 * single write or transaction at a time has for itself. The driver implements it.
 */
export interface SqliteConnections {
  /** Outside a transaction. */
  execute(...change: Change): Promise<Outcome>;
  /** Resolves when the transaction has begun, which may have to wait for another one. */
  begin(checkForeignKeys: boolean): Promise<SqliteTransaction>;
}

type Query = readonly [sql: string, parameters?: unknown[]];

const BEGIN = sqlSpan('sqlite', 'BEGIN');
const COMMIT = sqlSpan('sqlite', 'COMMIT');

/**
 * A runner of its own, as from a pool: what others do in a transaction never touches it. Every
 * transaction is serializable, whatever isolation level is asked for. Releasing it rolls back a
 * transaction that is still open. It tells subscribers of TypeORM nothing, which our data sources have none of.
 */
export class PooledSqliteQueryRunner extends SqliteQueryRunner {
  declare driver: SqliteDriver & SqliteConnections;
  private transaction: SqliteTransaction | undefined;
  private checkForeignKeys = true;

  /** The next transaction does not check foreign keys: TypeORM changes a table by replacing it. */
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
   * Statements that take effect together, or only the first one where that changes no row; resolves with what that
   * gave. Several are changes without RETURNING.
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

  /** The transaction is over then, however that went. */
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

/** TypeORM's shapes: an INSERT's `raw` is the last row id. */
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
