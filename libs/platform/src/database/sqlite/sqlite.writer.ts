import { ConnectionIsNotSetError } from 'typeorm';
import type { SqliteConnection } from './sqlite.connection.js';
import { SqliteTransaction } from './sqlite.transaction.js';
import { parseStatement, type Outcome, type Statement } from './statement.js';
import type { Release, WriteLock } from './write-lock.js';

const BEGIN_IMMEDIATE = parseStatement('BEGIN IMMEDIATE');

/**
 * The writing connection. A writer acquires the lock, waiting at most `waitMs` (WriteLockTimeoutError). A
 * connection that may still be inside a transaction is never used again: it is closed, and the next writer opens
 * another.
 */
export class SqliteWriter {
  private readonly open: () => Promise<SqliteConnection>;
  private readonly lock: WriteLock;
  private readonly waitMs: number;
  private connection: SqliteConnection | undefined;
  private closing = false;

  constructor(open: () => Promise<SqliteConnection>, lock: WriteLock, waitMs: number) {
    this.open = open;
    this.lock = lock;
    this.waitMs = waitMs;
  }

  async execute(statement: Statement): Promise<Outcome> {
    const release = await this.acquireLock();
    try {
      const connection = await this.connected();
      return await connection.execute(statement);
    } finally {
      release();
    }
  }

  /** Holds the lock until the transaction is over. */
  async begin(checkForeignKeys: boolean): Promise<SqliteTransaction> {
    const release = await this.acquireLock();
    try {
      const connection = await this.connected();
      if (!checkForeignKeys) await connection.pragma('foreign_keys = OFF');
      await connection.execute(BEGIN_IMMEDIATE);
      return new SqliteTransaction(connection, (clean) =>
        this.finish(release, clean && checkForeignKeys),
      );
    } catch (error) {
      await this.finish(release, false);
      throw error;
    }
  }

  /** Lets the waiting writers finish, for at most `waitMs`, then closes. */
  async close(): Promise<void> {
    this.closing = true;
    const release = await this.lock.acquire(this.waitMs).catch(() => undefined);
    const connection = this.connection;
    this.connection = undefined;
    try {
      await connection?.close();
    } finally {
      release?.();
    }
  }

  private async acquireLock(): Promise<Release> {
    if (this.closing) throw new ConnectionIsNotSetError('sqlite');
    return this.lock.acquire(this.waitMs);
  }

  private async connected(): Promise<SqliteConnection> {
    if (this.connection) return this.connection;
    if (this.closing) throw new ConnectionIsNotSetError('sqlite');
    this.connection = await this.open();
    return this.connection;
  }

  private async finish(release: Release, reusable: boolean): Promise<void> {
    try {
      if (!reusable) await this.discard();
    } finally {
      release();
    }
  }

  private async discard(): Promise<void> {
    const connection = this.connection;
    this.connection = undefined;
    await connection?.close().catch(() => undefined);
  }
}
