import type { DataSource } from 'typeorm';
import { runSql } from './structured-query.sql.js';

const NOW_MS = {
  postgres: 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)',
  sqlite: ':now',
};

/**
 * SQL for epoch milliseconds by the database's clock, the one that all replicas share. SQLite runs in this
 * process and has no other clock: `SqliteConnection` binds `:now` to the time when the statement runs.
 */
export const databaseNow = ({ options }: DataSource) =>
  options.type === 'postgres' ? NOW_MS.postgres : NOW_MS.sqlite;

/** Epoch milliseconds by the database's clock. */
export async function readDatabaseClock(dataSource: DataSource): Promise<number> {
  const { rows } = await runSql(dataSource, `SELECT ${databaseNow(dataSource)} AS now`, []);
  return Number(rows[0]?.['now']);
}
