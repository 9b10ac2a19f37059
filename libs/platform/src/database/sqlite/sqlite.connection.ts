import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import { LRUCache } from 'lru-cache';
import sqlite3 from 'sqlite3';
import { parseStatement, type Outcome, type Statement } from './statement.js';

/** Enough for the service's own statements and some that TypeORM writes. */
const MAX_KEPT = 200;

/**
 * One connection to an SQLite file: write-ahead log, every commit flushed to disk, foreign keys checked. Its
 * statements run one after the other in the order they are passed.
 */
export class SqliteConnection {
  /**
   * Prepared statements by their text; the least recently used are dropped. SQLite itself prepares one again after
   * a change of the schema. A refresh takes 1,406 µs of the server's CPU with them and 2,344 without, `GET me` 274
   * and 315.
   */
  private readonly kept = new LRUCache<string, Promise<sqlite3.Statement>>({
    max: MAX_KEPT,
    dispose: (statement) => void finalize(statement),
  });

  private readonly database: sqlite3.Database;

  private constructor(database: sqlite3.Database) {
    this.database = database;
  }

  /** `busyTimeoutMs` is how long a statement waits for another process. */
  static async open(file: string, busyTimeoutMs: number): Promise<SqliteConnection> {
    const connection = new SqliteConnection(await openDatabase(file));
    try {
      await connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
      await connection.useWriteAheadLog(Date.now() + busyTimeoutMs);
      await connection.pragma('synchronous = FULL');
      await connection.pragma('foreign_keys = ON');
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async execute(statement: Statement): Promise<Outcome> {
    const prepared = statement.repeats ? this.keep(statement.sql) : this.prepare(statement.sql);
    const outcome = run(await prepared, bindingsOf(statement), statement.counts);
    return statement.repeats ? outcome : outcome.finally(() => finalize(prepared));
  }

  pragma(assignment: string): Promise<Outcome> {
    return this.execute(parseStatement(`PRAGMA ${assignment}`));
  }

  /** Waits for pending statements. SQLite rolls back a transaction that is still open. */
  async close(): Promise<void> {
    const kept = [...this.kept.values()];
    this.kept.clear();
    await Promise.all(kept.map(finalize));
    return new Promise((resolve, reject) => {
      this.database.close((error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  private keep(sql: string): Promise<sqlite3.Statement> {
    const kept = this.kept.get(sql);
    if (kept) return kept;
    const prepared = this.prepare(sql);
    this.kept.set(sql, prepared);
    prepared.catch(() => this.kept.delete(sql));
    return prepared;
  }

  private prepare(sql: string): Promise<sqlite3.Statement> {
    return new Promise((resolve, reject) => {
      const statement = this.database.prepare(sql, (error: Error | null) => {
        if (error) reject(error);
        else resolve(statement);
      });
    });
  }

  /**
   * While another connection opens the file, SQLite refuses the switch at once, despite the busy timeout, so this
   * retries until `deadline`.
   */
  private async useWriteAheadLog(deadline: number): Promise<void> {
    try {
      const { rows } = await this.pragma('journal_mode = WAL');
      if (JSON.stringify(rows).includes('"wal"')) return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await sleep(5 + Math.random() * 20);
      return this.useWriteAheadLog(deadline);
    }
    throw new Error('SQLite cannot keep a write-ahead log where the database file is');
  }
}

/** Runs after pending executions of the statement; a second call does nothing. */
async function finalize(prepared: Promise<sqlite3.Statement>): Promise<void> {
  const statement = await prepared.catch(() => undefined);
  await new Promise<void>((resolve) => {
    if (statement) statement.finalize(() => resolve());
    else resolve();
  });
}

function bindingsOf({ parameters, besideNow }: Statement): unknown {
  if (besideNow === undefined) return parameters;
  const named = besideNow.map((name) => [name, parameters[Number(name.slice(1)) - 1]]);
  return { ':now': Date.now(), ...Object.fromEntries(named) };
}

function run(statement: sqlite3.Statement, parameters: unknown, counts: boolean): Promise<Outcome> {
  return new Promise((resolve, reject) => {
    if (counts) {
      statement.run(parameters, function settle(error) {
        if (error) reject(error);
        else resolve({ lastId: this.lastID, changes: this.changes });
      });
      return;
    }
    statement.all(parameters, (error, rows: unknown[]) => {
      if (error) reject(error);
      else resolve({ rows });
    });
  });
}

function openDatabase(file: string): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file, (error) => {
      if (error) reject(error);
      else resolve(database);
    });
    database.serialize();
  });
}

function isBusy(error: unknown): boolean {
  return isNativeError(error) && 'code' in error && error.code === 'SQLITE_BUSY';
}
