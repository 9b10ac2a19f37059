import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type MigrationInterface, type QueryRunner } from 'typeorm';
import {
  PostgresDataSource,
  postgresOptions,
  withoutTimeouts,
} from './postgres/postgres.data-source.js';
import { codeOf } from '../outage.js';
import { readSqliteFile } from './sqlite/sqlite.connection.js';
import { type Schema, SqliteDataSource } from './sqlite/sqlite.data-source.js';

export type DatabaseUrl =
  | { readonly type: 'sqlite'; readonly path: string }
  | { readonly type: 'postgres'; readonly url: string };

/**
 * The data source of a service, not yet initialised; opening it changes no schema. Transactions may be open in
 * parallel on both databases, and every wait has a limit: on Postgres up to 10 s for the first connection, and
 * `connectMs` for each further one.
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

/** A long wait delays only this command. */
const CONNECT_MS = 10_000;

const NO_TABLE = new Set<unknown>(['SQLITE_ERROR', '42P01']);

/** The names of the migrations that a database has, in no order; none where it has no tables yet. */
export async function readMigrations(
  query: (sql: string) => Promise<unknown[]>,
): Promise<string[]> {
  try {
    const rows = await query('SELECT name FROM migrations');
    return rows.map((row) => String((row as { name: unknown }).name));
  } catch (error) {
    if (NO_TABLE.has(codeOf(error))) return [];
    throw error;
  }
}

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
 * The initialised data source of a migrated database. Changes no schema and creates no file. @throws NotMigratedError
 */
export async function openMigrated(
  database: DatabaseUrl,
  entities: Schema['entities'],
  migrations: Migrations,
): Promise<DataSource> {
  if (database.type === 'sqlite') {
    const { path } = database;
    expectAll(migrations, await readMigrations((sql) => readSqliteFile(path, sql).catch(noFile)));
  }
  const dataSource = await createDataSource(database, { entities }, CONNECT_MS).initialize();
  try {
    expectAll(migrations, await readMigrations((sql) => dataSource.query(sql)));
    return dataSource;
  } catch (error) {
    await dataSource.destroy();
    throw error;
  }
}

function expectAll(migrations: Migrations, applied: readonly string[]) {
  const isApplied = migrations.every((Migration) => applied.includes(String(new Migration().name)));
  if (!isApplied) throw new NotMigratedError();
}

function noFile(error: unknown): [] {
  if (codeOf(error) === 'SQLITE_CANTOPEN') return [];
  throw error;
}

/** An arbitrary number that nothing else locks in the same Postgres database. */
const MIGRATION_LOCK = 1_734_440_037;

/**
 * A migration that waits for a table blocks all later requests for it. So on Postgres it waits only this long, half of
 * Postgres' default deadlock timeout, lets the others pass, and retries.
 */
const LOCK_MS = 500;
const PAUSE_MS = 500;
/** About five minutes. */
const TRIES = 300;

const IN_USE = new Set<unknown>(['55P03', '40P01']);

/**
 * Runs the pending migrations, all of them or none, and returns their names. Each runs in one process while the others
 * wait, without a limit on Postgres, and as long as any writer on SQLite (then SQLITE_BUSY).
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  if (pending.length === 0) return [];
  const { options } = dataSource;
  if (options.type !== 'postgres') return migrateAlone(dataSource);

  const patient = await new DataSource({ ...withoutTimeouts(options), entities: [] }).initialize();
  try {
    return await migrateBetweenOthers(patient);
  } finally {
    await patient.destroy();
  }
}

async function migrateBetweenOthers(dataSource: DataSource, tries = TRIES): Promise<string[]> {
  try {
    return await migrateAlone(dataSource);
  } catch (error) {
    const isInUse = IN_USE.has(codeOf(error));
    if (!isInUse || tries <= 1) throw error;
  }
  await sleep(PAUSE_MS);
  return migrateBetweenOthers(dataSource, tries - 1);
}

async function migrateAlone(dataSource: DataSource): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  const isPostgres = dataSource.options.type === 'postgres';
  try {
    await runner.beforeMigration();
    await runner.startTransaction();
    if (isPostgres) {
      await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    }
    const executor = new MigrationExecutor(dataSource, runner);
    const pending = await executor.getPendingMigrations();
    for (const migration of pending) {
      await executor.executeMigration(migration).catch((cause: unknown) => {
        const reason = cause instanceof Error ? cause.message : String(cause);
        const message = `the migration ${migration.name} failed, and nothing was changed: ${reason}`;
        throw Object.assign(new Error(message, { cause }), { code: codeOf(cause) });
      });
    }
    if (!isPostgres) await refuseOrphans(runner);
    await runner.commitTransaction();
    return pending.map(({ name }) => name);
  } catch (error) {
    // When the connection is lost, so is the transaction; the original error is thrown.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** SQLite does not check foreign keys while tables are replaced, so they are checked here. */
async function refuseOrphans(runner: QueryRunner): Promise<void> {
  const orphans: unknown[] = await runner.query('PRAGMA foreign_key_check');
  if (orphans.length === 0) return;
  throw new Error(`The migrations leave rows without their parent: ${JSON.stringify(orphans)}`);
}
