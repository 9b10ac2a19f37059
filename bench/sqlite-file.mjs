// A SQLite file of a bench's own, and rows in it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sqlite3 from 'sqlite3';

export class SqliteFile {
  folder = mkdtempSync(join(tmpdir(), 'bench-'));
  path = join(this.folder, 'bench.sqlite');
  url = `sqlite:${this.path}`;

  async insert(tables) {
    const database = new sqlite3.Database(this.path);
    database.serialize(() => {
      database.run('BEGIN');
      for (const [table, rows] of Object.entries(tables)) {
        for (const row of rows) {
          database.run(`INSERT INTO ${table} VALUES (${row.map(() => '?')})`, row);
        }
      }
      database.run('COMMIT');
    });
    await new Promise((resolve) => {
      database.close(resolve);
    });
  }

  remove() {
    rmSync(this.folder, { recursive: true });
  }
}
