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
import { inSpan } from '#libs/trace';
import { sqlSpan } from '../sql-span.js';
import { heard } from '../statement-listeners.js';
import type { SqliteTransaction } from './sqlite.transaction.js';
import { parseStatement, type Outcome, type Statement } from './statement.js';

/**
 * What all runners of a driver share: a connection that everyone reads on at once, and one that a
 * single write or transaction at a time has for itself. The driver implements it.
 */
export interface SqliteConnections {
  /** A single statement outside a transaction. */
  execute(statement: Statement): Promise<Outcome>;
  /** Resolves when the transaction has begun, which may have to wait for another one. */
  begin(checkForeignKeys: boolean): Promise<SqliteTransaction>;
}

/**
 * A runner of its own, as from a pool: what others do in a transaction never touches it. Every
 * transaction is serializable, whatever isolation level is asked for. Releasing it rolls back a
 * transaction that is still open.
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
    if (this.transactionDepth === 0) {
      await this.begin();
    } else {
      const savepoint = `typeorm_${this.transactionDepth}`;
      this.transactionDepth += 1;
      await this.broadcaster.broadcast('BeforeTransactionStart');
      await this.query(`SAVEPOINT ${savepoint}`);
    }
    await this.broadcaster.broadcast('AfterTransactionStart');
  }

  override async commitTransaction(): Promise<void> {
    const transaction = this.current();
    await this.broadcaster.broadcast('BeforeTransactionCommit');
    if (this.transactionDepth > 1) {
      await this.query(`RELEASE SAVEPOINT typeorm_${this.transactionDepth - 1}`);
      this.transactionDepth -= 1;
    } else {
      await heard(this.connection, () => transaction.commit())
        .catch((error: unknown) => fail('COMMIT', undefined, error))
        .finally(() => this.forget());
    }
    await this.broadcaster.broadcast('AfterTransactionCommit');
  }

  override async rollbackTransaction(): Promise<void> {
    const transaction = this.current();
    await this.broadcaster.broadcast('BeforeTransactionRollback');
    if (this.transactionDepth > 1) {
      this.transactionDepth -= 1;
      await this.query(`ROLLBACK TO SAVEPOINT typeorm_${this.transactionDepth}`);
    } else {
      await transaction.rollback();
      this.forget();
    }
    await this.broadcaster.broadcast('AfterTransactionRollback');
  }

  override async release(): Promise<void> {
    if (this.isReleased) return;
    this.isReleased = true;
    await super.release();
    await this.transaction?.rollback();
    this.forget();
  }

  override query(sql: string, parameters: unknown[], structured: true): Promise<QueryResult>;
  override query(sql: string, parameters?: unknown[], structured?: boolean): Promise<unknown>;
  override async query(sql: string, parameters?: unknown[], structured = false): Promise<unknown> {
    this.refuseWhenReleased();
    if (!this.connection.isInitialized) throw new ConnectionIsNotSetError('sqlite');
    this.connection.logger.logQuery(sql, parameters, this);
    await this.broadcaster.broadcast('BeforeQuery', sql, parameters);
    const result = await inSpan(
      () => sqlSpan('sqlite', sql),
      () => this.run(sql, parameters),
    );
    return structured ? result : result.raw;
  }

  private async run(sql: string, parameters?: unknown[]): Promise<QueryResult> {
    const startedAt = Date.now();
    const broadcastEnd = (error?: unknown, raw?: unknown) => {
      const took = Date.now() - startedAt;
      return this.broadcaster.broadcast('AfterQuery', sql, parameters, !error, took, raw, error);
    };
    const statement = parseStatement(sql, parameters);
    const executed = heard(this.connection, () => this.execute(statement));
    const outcome = await executed.catch(async (error: unknown) => {
      this.connection.logger.logQueryError(String(error), sql, parameters, this);
      await broadcastEnd(error);
      return fail(sql, parameters, error);
    });
    const result = toQueryResult(statement, outcome);
    await broadcastEnd(undefined, result.raw);
    return result;
  }

  private async execute(statement: Statement): Promise<Outcome> {
    const inTransaction = this.isTransactionActive;
    if (statement.control === 'transaction' || (statement.control && !inTransaction)) {
      throw new TypeORMError(`Use the query runner's own methods instead of "${statement.sql}"`);
    }
    if (!inTransaction) return this.driver.execute(statement);
    return this.current().execute(statement);
  }

  private async begin(): Promise<void> {
    if (this.isTransactionActive) throw new TransactionAlreadyStartedError();
    this.isTransactionActive = true;
    try {
      await this.broadcaster.broadcast('BeforeTransactionStart');
      this.transaction = await heard(this.connection, () =>
        this.driver.begin(this.checkForeignKeys),
      );
    } catch (error) {
      this.isTransactionActive = false;
      fail('BEGIN IMMEDIATE', undefined, error);
    }
    this.transactionDepth = 1;
    if (!this.isReleased) return;
    await this.transaction?.rollback();
    this.forget();
    this.refuseWhenReleased();
  }

  private current(): SqliteTransaction {
    if (!this.transaction) throw new TransactionNotStartedError();
    return this.transaction;
  }

  private forget(): void {
    this.transaction = undefined;
    this.isTransactionActive = false;
    this.transactionDepth = 0;
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
function fail(sql: string, parameters: unknown[] | undefined, error: unknown): never {
  if (error instanceof TypeORMError) throw error;
  throw new QueryFailedError(
    sql,
    parameters,
    isNativeError(error) ? error : new Error(String(error)),
  );
}
