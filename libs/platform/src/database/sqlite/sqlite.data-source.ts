import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { isNativeError } from 'node:util/types';
import sqlite3 from 'sqlite3';
import {
  ConnectionIsNotSetError,
  DataSource,
  type DataSourceOptions,
  type ObjectLiteral,
  QueryFailedError,
  QueryResult,
  QueryRunnerAlreadyReleasedError,
  TransactionAlreadyStartedError,
  TransactionNotStartedError,
  TypeORMError,
} from 'typeorm';
import { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { SqliteQueryRunner } from 'typeorm/driver/sqlite/SqliteQueryRunner.js';
import { observed, sqlSpan } from '../statement-listeners.js';
import { typeormDefaults } from '../typeorm.defaults.js';
import {
  type Change,
  makePrivateFile,
  makePrivateFolder,
  type Outcome,
  parseStatement,
  SqliteConnection,
  type Statement,
} from './sqlite.connection.js';
import { SharedCommits, type SqliteTransaction, SqliteWriter } from './sqlite.transaction.js';

type Query = readonly [sql: string, parameters?: unknown[]];

/**
 * A separate runner, as from a pool: its transactions are serializable whatever level is requested, and releasing it
 * rolls back an open one. TypeORM subscribers are not notified.
 */
export class PooledSqliteQueryRunner extends SqliteQueryRunner {
  declare driver: PooledSqliteDriver;
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
      this.transaction = await this.run(['BEGIN IMMEDIATE'], begin);
    } catch (error) {
      this.isTransactionActive = false;
      throw error;
    }
    this.transactionDepth = 1;
    if (this.isReleased) await this.end((transaction) => transaction.rollback());
    this.refuseWhenReleased();
  }

  override async commitTransaction(): Promise<void> {
    if (this.transactionDepth > 1) return super.commitTransaction();
    await this.end((transaction) => this.run(['COMMIT'], () => transaction.commit()));
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

  /** Changes that take effect together, or only the first when it changes no row; resolves with its result. */
  async queryAll(queries: readonly [Query, ...Query[]]): Promise<QueryResult> {
    this.refuseWhenReleased();
    for (const [sql, parameters] of queries) this.connection.logger.logQuery(sql, parameters, this);
    const [first, ...others] = queries;
    const statement = parseStatement(...first);
    const change = [statement, ...others.map((other) => parseStatement(...other))] as const;
    return toQueryResult(statement, await this.run(first, () => this.execute(change)));
  }

  private async run<T>(query: Query, work: () => Promise<T>): Promise<T> {
    try {
      return await observed(this.connection, () => sqlSpan('sqlite', query[0]), work);
    } catch (error) {
      throw failed(query, error);
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

const DEFAULT_WAIT_MS = 5000;

interface Connections {
  readonly reader: SqliteConnection;
  /** For reads that may take long. */
  readonly slowReader: SqliteConnection;
  readonly writer: SqliteWriter;
}

class PooledSqliteDriver extends SqliteDriver {
  private connections: Connections | undefined;
  private readonly commits = new SharedCommits(async (work) => this.connected().writer.hold(work));

  override async connect(): Promise<void> {
    const file = await locate(this.options.database);
    await makePrivateFile(file);
    const waitMs = this.options.busyTimeout ?? DEFAULT_WAIT_MS;
    const writer = new SqliteWriter(file, waitMs);
    try {
      await writer.execute(parseStatement('PRAGMA user_version'));
      const reader = await openReader(file, waitMs);
      this.connections = { reader, slowReader: await openReader(file, waitMs), writer };
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  override async disconnect(): Promise<void> {
    const { reader, slowReader, writer } = this.connected();
    await writer.close();
    this.connections = undefined;
    await Promise.all([reader.close(), slowReader.close()]);
  }

  override createQueryRunner(): PooledSqliteQueryRunner {
    return new PooledSqliteQueryRunner(this);
  }

  /**
   * Binds numbers too, which TypeORM writes into the text: a text with a time in it would be prepared for a single
   * call, and take the place of a kept one. TypeORM binds an array as one value.
   */
  override escapeQueryWithParameters(
    sql: string,
    parameters: ObjectLiteral,
    nativeParameters: ObjectLiteral,
  ): [string, unknown[]] {
    const wrapped = Object.entries(parameters).map(([name, value]: [string, unknown]) => [
      name,
      typeof value === 'number' ? [value] : value,
    ]);
    const [text, bound]: [string, unknown[]] = super.escapeQueryWithParameters(
      sql,
      Object.fromEntries(wrapped),
      nativeParameters,
    );
    return [text, bound.flat()];
  }

  /** Outside a transaction: runs a read at once, anything else under the write lock. */
  async execute(...change: Change): Promise<Outcome> {
    const [statement, ...others] = change;
    if (statement.changesRows || others.length > 0) return this.commits.write(change);
    const { reader, slowReader, writer } = this.connected();
    if (!statement.reads) return writer.execute(statement);
    return (statement.readsMuch ? slowReader : reader).execute(statement);
  }

  async begin(checkForeignKeys: boolean): Promise<SqliteTransaction> {
    return this.connected().writer.begin(checkForeignKeys);
  }

  private connected() {
    if (!this.connections) throw new ConnectionIsNotSetError('sqlite');
    return this.connections;
  }
}

async function openReader(file: string, waitMs: number): Promise<SqliteConnection> {
  const reader = await SqliteConnection.open(file, waitMs);
  await reader.pragma('query_only = ON');
  return reader;
}

/** One name per file. Does not open the file: closing it again would drop SQLite's locks. */
async function locate(path: string): Promise<string> {
  await makePrivateFolder(path);
  const folder = await realpath(dirname(path));
  const file = join(folder, basename(path));
  return realpath(file).catch(() => file);
}

export type Schema = Pick<DataSourceOptions, 'entities' | 'migrations'>;

interface SqliteOptions extends Schema {
  /** A file, created with its folder when missing. SQLite's in-memory databases are refused. */
  readonly path: string;
  /** How long to wait for other writers, in this process and then in others. Default 5000. */
  readonly waitMs?: number;
}

/**
 * TypeORM's SQLite data source shares one connection, so that parallel transactions nest in each other. This one is
 * like a pool: every `createQueryRunner()` returns a separate runner; one transaction or single write goes at a time,
 * first come, first served, durable when it resolves (a single write may join one before it); reads outside a
 * transaction see committed data and never wait. A writer that waits longer than `waitMs`, as one inside a transaction
 * that does not use its manager, gets a QueryFailedError with code SQLITE_BUSY.
 */
export class SqliteDataSource extends DataSource {
  override readonly driver: PooledSqliteDriver = new PooledSqliteDriver(this);

  constructor({ path, waitMs, ...schema }: SqliteOptions) {
    if (path === '' || path === ':memory:') throw new TypeORMError('SQLite needs a file here');
    super({
      ...typeormDefaults,
      ...schema,
      type: 'sqlite',
      database: path,
      driver: { verbose: () => sqlite3 },
      busyTimeout: waitMs,
    });
  }
}
