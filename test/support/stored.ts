import { DataSource } from 'typeorm';
import type { Service } from './service.js';

/** All rows of a table as text, for specs about how secrets are stored. */
export const storedIn = async ({ app }: Pick<Service, 'app'>, table: string): Promise<string> =>
  JSON.stringify(await app.get(DataSource).query(`SELECT * FROM ${table}`));

/** The number of rows in a table, for specs about what a request leaves behind. */
export async function countStored({ app }: Pick<Service, 'app'>, table: string): Promise<number> {
  const [{ n }] = await app.get(DataSource).query(`SELECT COUNT(*) AS n FROM ${table}`);
  return Number(n);
}
