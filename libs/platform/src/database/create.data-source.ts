import type { DataSource } from 'typeorm';
import { PostgresDataSource } from './postgres/postgres.data-source.js';
import { postgresOptions } from './postgres/postgres.options.js';
import { SqliteDataSource, type Schema } from './sqlite/sqlite.data-source.js';

/** A SQLite file by its path, or a Postgres server by its `postgres://` URL. */
export type DatabaseUrl =
  | { readonly type: 'sqlite'; readonly path: string }
  | { readonly type: 'postgres'; readonly url: string };

/**
 * The data source of a service, not yet initialised; opening it changes no schema. Transactions may be open in
 * parallel on both databases, and every wait has a limit: on Postgres up to 10 s for the first connection, and
 * `connectMs` for each further one.
 *
 * For libs that inject repositories and `DataSource` itself with Nest, pass it with `autoLoadEntities` to
 * `TypeOrmModule.forRootAsync({ dataSourceFactory })`: initialise it there with the entities that the factory is
 * given and the migrations that the libs export, then call `migrate`.
 */
export function createDataSource(
  database: DatabaseUrl,
  schema: Schema,
  connectMs = 1000,
): DataSource {
  return database.type === 'sqlite'
    ? new SqliteDataSource({ ...schema, path: database.path })
    : new PostgresDataSource({
        ...postgresOptions(database.url),
        ...schema,
        connectTimeoutMS: connectMs,
      });
}
