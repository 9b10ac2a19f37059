import type { DataSource, EntityManager } from 'typeorm';
import { type Dialect, PreparedStatement } from './prepared-statement.sql.js';
import { ReadBatch } from './read-batch.js';

type Row = Readonly<Record<string, unknown>>;

/** One row `keys.value` for each key, to join what is looked for, and `key` for the result. */
type BatchedSql = (dialect: Dialect & { readonly keys: string }) => string;

/**
 * Postgres takes an array that it does not know for ten keys, and so plans anew, each time, for those that there
 * are. Behind a limit that it does not know it expects a tenth, one, and keeps the plan.
 */
const KEYS = {
  postgres: '(SELECT unnest(CAST($1 AS text[])) AS value LIMIT CAST($2 AS integer)) AS keys',
  sqlite: 'json_each($1) AS keys',
};

/**
 * A PreparedStatement that finds at most one row for a key, for what nearly every request asks. All that are looked
 * for in the same turn of the event loop come by one round trip. Inside a transaction it is a statement of its own:
 * those who share one have nothing else in common.
 *
 * What it saves, in µs of the server's CPU for a request, with 32 requests at once, measured alternately on a busy
 * machine with this and with a statement for each: `GET me` 176 and 429 on Postgres, 274 and 547 on SQLite;
 * `tools/call` 778 and 1,494, 896 and 3,036; a refresh 1,627 and 3,013 on Postgres.
 */
export class BatchedRead {
  private readonly statement: PreparedStatement;
  private readonly batches = new WeakMap<DataSource, ReadBatch<Row>>();

  constructor(name: string, sql: BatchedSql) {
    const withKeys = (dialect: Dialect) => sql({ ...dialect, keys: KEYS[dialect.type] });
    this.statement = new PreparedStatement(name, withKeys);
  }

  /** A key with a NUL has no row: Postgres would refuse it together with the keys of all others. */
  async find(on: DataSource | EntityManager, key: string): Promise<Row | undefined> {
    if (key.includes('\0')) return undefined;
    if ('connection' in on) return (await this.readAll(on, [key])).get(key);
    return this.batchOf(on).find(key);
  }

  private batchOf(dataSource: DataSource): ReadBatch<Row> {
    const known = this.batches.get(dataSource);
    if (known) return known;
    const batch = new ReadBatch((keys) => this.readAll(dataSource, keys));
    this.batches.set(dataSource, batch);
    return batch;
  }

  private async readAll(on: DataSource | EntityManager, keys: readonly string[]) {
    const { options } = 'connection' in on ? on.connection : on;
    const list = options.type === 'postgres' ? keys : JSON.stringify(keys);
    const { rows } = await this.statement.run(on, [list, keys.length]);
    return new Map(rows.map((row) => [String(row['key']), row]));
  }
}
