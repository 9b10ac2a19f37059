import { LRUCache } from 'lru-cache';
import type sqlite3 from 'sqlite3';

/** As many as the service has of its own, and some that TypeORM writes. */
const MAX_KEPT = 200;

/**
 * The prepared statements of one connection, by their text. SQLite prepares one anew by itself when the
 * schema has changed. Those that nobody uses make room.
 */
export class KeptStatements {
  private readonly kept = new LRUCache<string, Promise<sqlite3.Statement>>({
    max: MAX_KEPT,
    dispose: (statement) => void finalize(statement),
  });

  private readonly database: sqlite3.Database;

  constructor(database: sqlite3.Database) {
    this.database = database;
  }

  /** As `prepare`, once. */
  get(sql: string): Promise<sqlite3.Statement> {
    const kept = this.kept.get(sql);
    if (kept) return kept;
    const prepared = prepare(this.database, sql);
    this.kept.set(sql, prepared);
    prepared.catch(() => this.kept.delete(sql));
    return prepared;
  }

  /** A connection is closed only without them. Waits for those that are at work. */
  async close(): Promise<void> {
    const kept = [...this.kept.values()];
    this.kept.clear();
    await Promise.all(kept.map(finalize));
  }
}

/** Rejects with SQLite's error when it cannot be prepared. */
export function prepare(database: sqlite3.Database, sql: string): Promise<sqlite3.Statement> {
  return new Promise((resolve, reject) => {
    const statement = database.prepare(sql, (error: Error | null) => {
      if (error) reject(error);
      else resolve(statement);
    });
  });
}

/** Runs after whatever was asked of it; a second time does nothing. */
async function finalize(prepared: Promise<sqlite3.Statement>): Promise<void> {
  const statement = await prepared.catch(() => undefined);
  await new Promise<void>((resolve) => {
    if (statement) statement.finalize(() => resolve());
    else resolve();
  });
}
