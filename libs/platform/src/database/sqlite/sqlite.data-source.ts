import sqlite3 from 'sqlite3';
import { DataSource, TypeORMError, type DataSourceOptions } from 'typeorm';
import { typeormDefaults } from '../typeorm.defaults.js';
import { PooledSqliteDriver } from './sqlite.driver.js';

/** The entities of a database, and the migrations that create their tables. */
export type Schema = Pick<DataSourceOptions, 'entities' | 'migrations'>;

interface SqliteOptions extends Schema {
  /** A file, created with its folder when missing. SQLite's in-memory databases are refused. */
  readonly path: string;
  /** How long to wait for other writers, in this process and then in others. Default 5000. */
  readonly waitMs?: number;
}

/**
 * TypeORM's SQLite data source shares one connection between all callers, so that parallel transactions nest in
 * each other. This one behaves like a connection pool instead:
 *
 * - every `createQueryRunner()` returns a separate runner;
 * - one transaction or single write at a time, first come, first served, durable when it resolves;
 * - reads outside a transaction see committed data and never wait for a writer.
 *
 * A writer that waits longer than `waitMs` gets a QueryFailedError with code SQLITE_BUSY. So does a write inside a
 * transaction's callback that does not use the manager it was given.
 */
export class SqliteDataSource extends DataSource {
  override readonly driver: PooledSqliteDriver = new PooledSqliteDriver(this);

  constructor({ path, waitMs, ...schema }: SqliteOptions) {
    if (path === '' || path === ':memory:') throw new TypeORMError('SQLite needs a file here');
    super({
      ...typeormDefaults,
      ...schema,
      type: 'sqlite',
      database: path,
      driver: { verbose: () => sqlite3 },
      busyTimeout: waitMs,
    });
  }
}
