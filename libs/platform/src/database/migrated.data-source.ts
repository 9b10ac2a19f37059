import type { DataSource, MigrationInterface } from 'typeorm';
import { createDataSource, type DatabaseUrl } from './create.data-source.js';
import type { Schema } from './sqlite/sqlite.data-source.js';
import { readSqliteFile } from './sqlite/sqlite.read-only.js';

/** A long wait delays only this command. */
const CONNECT_MS = 10_000;

const APPLIED = 'SELECT name FROM migrations';

/** Error codes of SQLite and Postgres for a missing table, and SQLite's for a missing file. */
const NOTHING_THERE = new Set(['SQLITE_ERROR', 'SQLITE_CANTOPEN', '42P01']);

type Migrations = readonly (new () => MigrationInterface)[];

/** The database lacks a migration of this version, or all of them; nothing was changed. */
export class NotMigratedError extends Error {
  override name = 'NotMigratedError';

  constructor() {
    super(
      'the database of DATABASE_URL lacks migrations of this version: run gatehouse migrate, or start the service on it once',
    );
  }
}

/**
 * The initialised data source of a database that a service of this version has migrated. Neither creates a file nor
 * runs a migration. @throws NotMigratedError
 */
export async function openMigrated(
  database: DatabaseUrl,
  entities: Schema['entities'],
  migrations: Migrations,
): Promise<DataSource> {
  if (database.type === 'sqlite') {
    expectAll(migrations, await read(() => readSqliteFile(database.path, APPLIED)));
  }
  const dataSource = await createDataSource(database, { entities }, CONNECT_MS).initialize();
  try {
    expectAll(migrations, await read(() => dataSource.query(APPLIED)));
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

function expectAll(migrations: Migrations, applied: ReadonlySet<string>) {
  const isApplied = migrations.every((Migration) => applied.has(String(new Migration().name)));
  if (!isApplied) throw new NotMigratedError();
}

async function read(rows: () => Promise<unknown[]>): Promise<ReadonlySet<string>> {
  try {
    return new Set((await rows()).map((row) => String((row as { name: unknown }).name)));
  } catch (error) {
    if (NOTHING_THERE.has(String((error as { code?: unknown }).code))) return new Set();
    throw error;
  }
}
