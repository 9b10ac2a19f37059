import { setTimeout as sleep } from 'node:timers/promises';
import { isNativeError } from 'node:util/types';
import sqlite3 from 'sqlite3';
import { KeptStatements, prepare } from './kept-statements.js';
import { parseStatement, type Outcome, type Statement } from './statement.js';

/**
 * One connection to an SQLite file: write-ahead log, every commit flushed to disk, foreign keys
 * checked. Its statements run one after the other in the order they were given.
 */
export class SqliteConnection {
  private readonly database: sqlite3.Database;
  private readonly kept: KeptStatements;

  private constructor(database: sqlite3.Database) {
    this.database = database;
    this.kept = new KeptStatements(database);
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
    const { sql, counts } = statement;
    if (statement.repeats) return run(await this.kept.get(sql), bindingsOf(statement), counts);
    const prepared = await prepare(this.database, sql);
    return run(prepared, bindingsOf(statement), counts).finally(() => prepared.finalize());
  }

  pragma(assignment: string): Promise<Outcome> {
    return this.execute(parseStatement(`PRAGMA ${assignment}`));
  }

  /** Waits for statements already given. SQLite rolls back a transaction that is still open. */
  async close(): Promise<void> {
    await this.kept.close();
    return new Promise((resolve, reject) => {
      this.database.close((error) => {
        if (error) reject(error);
        else resolve();
      });
    });
  }

  /** SQLite refuses the switch at once, whatever the busy timeout, while others open the file. */
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
