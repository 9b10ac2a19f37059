import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { withoutTimeouts } from './postgres/postgres.options.js';

/** Any number that nobody else locks in the same Postgres database. */
const MIGRATION_LOCK = 1_734_440_037;

/**
 * Whoever asks for a table waits behind a migration that waits for it: behind a back-up that reads it, say. So
 * on Postgres it waits this long, half of what makes a deadlock there, lets the others pass, and begins again.
 */
const LOCK_MS = 500;
const PAUSE_MS = 500;
/** Some five minutes. */
const TRIES = 300;

/** Postgres' codes for a lock that was not to be had in time, and for a deadlock. */
const IN_USE = new Set(['55P03', '40P01']);

/**
 * Runs the pending migrations of an initialised data source, all of them or none, and returns their
 * names. Any number of processes may call it at once: each migration runs in one of them, the others
 * wait for it: as long as it takes on Postgres, no longer than any writer on SQLite (SQLITE_BUSY).
 */
export async function migrate(dataSource: DataSource): Promise<string[]> {
  const pending = await new MigrationExecutor(dataSource).getPendingMigrations();
  if (pending.length === 0) return [];
  const { options } = dataSource;
  if (options.type !== 'postgres') return migrateAlone(dataSource, refuseOrphans);

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
    const isInUse = IN_USE.has(String((error as { code?: unknown }).code));
    if (!isInUse || tries <= 1) throw error;
  }
  await sleep(PAUSE_MS);
  return migrateBetweenOthers(dataSource, tries - 1);
}

async function migrateAlone(
  dataSource: DataSource,
  check = async (_runner: QueryRunner) => {},
): Promise<string[]> {
  const runner = dataSource.createQueryRunner();
  try {
    await runner.beforeMigration();
    await runner.startTransaction();
    if (dataSource.options.type === 'postgres') {
      await runner.query('SELECT pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_MS}`);
    }
    const executed = await new MigrationExecutor(dataSource, runner).executePendingMigrations();
    await check(runner);
    await runner.commitTransaction();
    return executed.map(({ name }) => name);
  } catch (error) {
    // Where the connection is gone, so is the transaction, and that is what has to be told.
    if (runner.isTransactionActive) await runner.rollbackTransaction().catch(() => undefined);
    throw error;
  } finally {
    await runner.release();
  }
}

/** SQLite does not check foreign keys while tables are being replaced. */
async function refuseOrphans(runner: QueryRunner): Promise<void> {
  const orphans: unknown[] = await runner.query('PRAGMA foreign_key_check');
  if (orphans.length === 0) return;
  throw new Error(`The migrations leave rows without their parent: ${JSON.stringify(orphans)}`);
}
