import { DataSource } from 'typeorm';
import type { Service } from './service.js';

/** All rows of a table as text, for specs about what storage keeps of a secret. */
export const storedIn = async ({ app }: Pick<Service, 'app'>, table: string): Promise<string> =>
  JSON.stringify(await app.get(DataSource).query(`SELECT * FROM ${table}`));

/** How many rows a table has, for specs about what a request leaves behind. */
export async function countStored({ app }: Pick<Service, 'app'>, table: string): Promise<number> {
  const [{ n }] = await app.get(DataSource).query(`SELECT COUNT(*) AS n FROM ${table}`);
  return Number(n);
}
