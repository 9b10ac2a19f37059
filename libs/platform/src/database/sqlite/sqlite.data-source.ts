import sqlite3 from 'sqlite3';
import { DataSource, TypeORMError, type DataSourceOptions } from 'typeorm';
import { typeormDefaults } from '../typeorm.defaults.js';
import { PooledSqliteDriver } from './sqlite.driver.js';

/** What a database holds: its entities, and the migrations that lead there. */
export type Schema = Pick<DataSourceOptions, 'entities' | 'migrations'>;

interface SqliteOptions extends Schema {
  /** A file, made with its folder when it is not there. SQLite's databases in memory are refused. */
  readonly path: string;
  /** How long to wait for other writers, in this process and then in others. Default 5000. */
  readonly waitMs?: number;
}

/**
 * TypeORM's SQLite data source shares one connection between everyone, so that transactions at the
 * same time nest in each other. This one behaves like a pooled database instead:
 *
 * - every `createQueryRunner()` gives a runner of its own;
 * - one transaction or single write at a time, first come, first served, durable when it resolves;
 * - reads outside a transaction see what is committed and never wait for a writer.
 *
 * A writer that waits longer than `waitMs` gets a QueryFailedError with code SQLITE_BUSY. So does a
 * write inside a transaction's callback that does not go through the manager it was given.
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
