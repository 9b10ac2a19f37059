import sqlite3 from 'sqlite3';

const BUSY_TIMEOUT_MS = 1_000;

/** An SQLite connection of the doctor's own. */
export class SqliteProbe {
  private readonly database: sqlite3.Database;

  private constructor(database: sqlite3.Database) {
    this.database = database;
    database.configure('busyTimeout', BUSY_TIMEOUT_MS);
  }

  /** Makes the file. */
  static create(path: string): Promise<SqliteProbe> {
    return open(path, sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE).then(
      (db) => new SqliteProbe(db),
    );
  }

  /** Changes nothing in a file that is there. */
  static inspect(path: string): Promise<SqliteProbe> {
    return open(path, sqlite3.OPEN_READONLY).then((db) => new SqliteProbe(db));
  }

  rows(sql: string): Promise<Record<string, unknown>[]> {
    return new Promise((resolve, reject) => {
      this.database.all(sql, (error, rows: Record<string, unknown>[]) => {
        if (error) reject(error);
        else resolve(rows);
      });
    });
  }

  /** The first column of the first row. */
  async value(sql: string): Promise<unknown> {
    const [row = {}] = await this.rows(sql);
    return Object.values(row)[0];
  }

  /** Ends what runs; its promise rejects with code SQLITE_INTERRUPT. */
  interrupt() {
    this.database.interrupt();
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.database.close(() => resolve());
    });
  }
}

function open(path: string, mode: number): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(path, mode, (error) => {
      if (error) reject(error);
      else resolve(database);
    });
  });
}
