import type { DataSource } from 'typeorm';
import { PreparedStatement } from './prepared-statement.js';

const READ = new PreparedStatement('database-clock', ({ now }) => `SELECT ${now} AS now`);

/** Epoch milliseconds by the database's clock. */
export async function readDatabaseClock(dataSource: DataSource): Promise<number> {
  const { rows } = await READ.run(dataSource, []);
  return Number(rows[0]?.['now']);
}
