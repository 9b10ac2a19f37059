import { setTimeout as sleep } from 'node:timers/promises';
import { DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';
import { withoutTimeouts } from './postgres/postgres.options.js';

/** An arbitrary number that nothing else locks in the same Postgres database. */
const MIGRATION_LOCK = 1_734_440_037;

/**
 * A migration that waits for a table, for example behind a backup that reads it, blocks all later requests for that
 * table. So on Postgres it waits only this long, half of Postgres' default deadlock timeout, lets the others pass, and
 * retries.
 */
const LOCK_MS = 500;
const PAUSE_MS = 500;
/** About five minutes. */
const TRIES = 300;

/** Postgres' codes for a lock timeout and for a deadlock. */
const IN_USE = new Set(['55P03', '40P01']);

/**
 * Runs the pending migrations of an initialised data source, all of them or none, and returns their names. Any
 * number of processes may call it in parallel: each migration runs in one of them while the others wait, without a
 * limit on Postgres, and as long as any writer on SQLite (then SQLITE_BUSY).
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
