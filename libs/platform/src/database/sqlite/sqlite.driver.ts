import { realpath } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { ConnectionIsNotSetError } from 'typeorm';
import { SqliteDriver } from 'typeorm/driver/sqlite/SqliteDriver.js';
import { makePrivateFile, makePrivateFolder } from './private-file.js';
import { SharedCommits } from './shared-commits.js';
import { SqliteConnection } from './sqlite.connection.js';
import { PooledSqliteQueryRunner, type SqliteConnections } from './sqlite.query-runner.js';
import type { SqliteTransaction } from './sqlite.transaction.js';
import { SqliteWriter } from './sqlite.writer.js';
import { type Change, parseStatement, type Outcome } from './statement.js';
import { writeLockOf } from './write-lock.js';

const DEFAULT_WAIT_MS = 5000;

/** TypeORM's SQLite driver with a reading and a writing connection instead of a single one. */
export class PooledSqliteDriver extends SqliteDriver implements SqliteConnections {
  private reader: SqliteConnection | undefined;
  private writer: SqliteWriter | undefined;
  private readonly commits = new SharedCommits(() => this.begin(true));

  override async connect(): Promise<void> {
    const file = await locate(this.options.database);
    await makePrivateFile(file);
    const waitMs = this.options.busyTimeout ?? DEFAULT_WAIT_MS;
    const open = () => SqliteConnection.open(file, waitMs);
    const writer = new SqliteWriter(open, writeLockOf(file), waitMs);
    try {
      await writer.execute(parseStatement('PRAGMA user_version'));
      this.reader = await open();
      await this.reader.pragma('query_only = ON');
      this.writer = writer;
    } catch (error) {
      await writer.close();
      throw error;
    }
  }

  override async disconnect(): Promise<void> {
    const { reader, writer } = this;
    if (!reader || !writer) throw new ConnectionIsNotSetError('sqlite');
    await writer.close();
    this.reader = undefined;
    this.writer = undefined;
    await reader.close();
  }

  override createQueryRunner(): PooledSqliteQueryRunner {
    return new PooledSqliteQueryRunner(this);
  }

  /** Outside a transaction: runs a read at once, anything else under the write lock. */
  async execute(...change: Change): Promise<Outcome> {
    const [statement, ...others] = change;
    if (statement.changesRows || others.length > 0) return this.commits.write(change);
    const connection = statement.reads ? this.reader : this.writer;
    if (!connection) throw new ConnectionIsNotSetError('sqlite');
    return connection.execute(statement);
  }

  async begin(checkForeignKeys: boolean): Promise<SqliteTransaction> {
    if (!this.writer) throw new ConnectionIsNotSetError('sqlite');
    return this.writer.begin(checkForeignKeys);
  }
}

/** One name per file. Does not open the file: closing it again would drop SQLite's locks. */
async function locate(path: string): Promise<string> {
  await makePrivateFolder(path);
  const folder = await realpath(dirname(path));
  const file = join(folder, basename(path));
  return realpath(file).catch(() => file);
}
