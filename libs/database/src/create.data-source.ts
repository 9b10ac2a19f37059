import { DataSource } from 'typeorm';
import { postgresOptions } from './postgres/postgres.options.js';
import { SqliteDataSource, type Schema } from './sqlite/sqlite.data-source.js';

export type DatabaseUrl =
  | { readonly type: 'sqlite'; readonly path: string }
  | { readonly type: 'postgres'; readonly url: string };

/** Not yet initialised; opening it changes no schema. */
export function createDataSource(database: DatabaseUrl, schema: Schema): DataSource {
  return database.type === 'sqlite'
    ? new SqliteDataSource({ ...schema, path: database.path })
    : new DataSource({ ...postgresOptions(database.url), ...schema });
}
