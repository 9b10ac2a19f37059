import { access, constants, stat } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Redis } from 'ioredis';
import { Pool, type PoolConfig } from 'pg';
import { isLoopbackHostname } from '#libs/accounts';
import {
  FAIL_FAST,
  placeOf,
  postgresOptions,
  readMigrations,
  readSqliteFile,
  redisAt,
  sentinelFailure,
} from '#libs/platform';
import type { Extension } from '../app.module-definition.js';
import type { Config } from '../config/config.js';
import { databaseFailure, reasonOf } from '../database-failure.js';
import { allMigrations } from '../database.module.js';
import { lackingRights } from '../redis-rights.js';
import { fail, type Finding, ok, warn } from './finding.js';

export interface MigrationPlan {
  readonly known: readonly string[];
  /** Whether the service runs them at start; otherwise an operator runs `gatehouse migrate`. */
  readonly runAtStart: boolean;
}

export async function* databaseFindings(
  { database, migratesAtStart }: Config,
  extensions: readonly Extension[],
): AsyncIterable<Finding> {
  const plan: MigrationPlan = {
    known: allMigrations(extensions).map((Migration) => `${new Migration().name}`),
    runAtStart: migratesAtStart,
  };
  try {
    yield* database.type === 'sqlite'
      ? sqliteFindings(database.path, plan)
      : postgresFindings(database.url, plan);
  } catch (error) {
    const { text, remedy } = databaseFailure(database, error);
    yield fail(text, `DATABASE_URL: ${remedy}`);
  }
}

export function* migrationFindings(
  applied: readonly string[],
  { known, runAtStart }: MigrationPlan,
): Iterable<Finding> {
  const pending = known.filter((name) => !applied.includes(name));
  for (const name of pending) {
    yield runAtStart
      ? ok(`migration ${name} will run at the next start`)
      : warn(`migration ${name} is pending, and MIGRATE is off`, 'run gatehouse migrate');
  }
  if (pending.length === 0) yield ok('no migration is pending');
  const unknown = applied.filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    yield warn(
      `the database has migrations that are unknown here: ${unknown.join(', ')}`,
      'when they are not from a module of your own, a newer version was here: start that one, or restore the back-up from before it',
    );
  }
}

/** Rights that a folder must not give: any to other users, and write access to its group, which could add a file. */
const OPEN_FOLDER = 0o027;
const OPEN_FILE = 0o077;

/** Only SQLite itself opens the file: closing it here would drop the locks that SQLite holds for this process. */
async function* sqliteFindings(path: string, plan: MigrationPlan): AsyncIterable<Finding> {
  const folder = dirname(path);
  await access(`${await nearestExisting(folder)}/`, constants.W_OK | constants.X_OK);
  yield* openToOthers(folder, OPEN_FOLDER, '700');
  if ((await stat(path).catch(() => undefined)) === undefined) {
    yield ok(`${path} does not exist yet: it is made at the next start`);
    return;
  }
  yield* openToOthers(path, OPEN_FILE, '600');
  await access(path, constants.R_OK | constants.W_OK);
  yield* migrationFindings(await readMigrations((sql) => readSqliteFile(path, sql)), plan);
}

const nearestExisting = (folder: string): Promise<string> =>
  stat(folder).then(
    () => folder,
    () => nearestExisting(dirname(folder)),
  );

async function* openToOthers(path: string, open: number, mode: string): AsyncIterable<Finding> {
  const rights = ((await stat(path).catch(() => undefined))?.mode ?? 0) & 0o777;
  if ((rights & open) === 0) return;
  yield warn(
    `${path} is open to other users of this machine (mode ${rights.toString(8)})`,
    `chmod ${mode} ${path}`,
  );
}

/** The migrating role's tables that the user may not read and write; that of migrations only has to be readable. */
const FORBIDDEN_TABLES = `
  SELECT relname AS name FROM pg_class JOIN (
    SELECT relowner, relnamespace FROM pg_class WHERE oid = to_regclass('migrations')
  ) AS owner USING (relowner, relnamespace)
  WHERE relkind IN ('r', 'p') AND NOT (
    has_table_privilege(pg_class.oid, 'SELECT') AND (relname = 'migrations' OR (
      has_table_privilege(pg_class.oid, 'INSERT') AND has_table_privilege(pg_class.oid, 'UPDATE')
      AND has_table_privilege(pg_class.oid, 'DELETE'))))
  ORDER BY relname`;

const IS_ENCRYPTED = 'SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()';

async function* postgresFindings(url: string, plan: MigrationPlan): AsyncIterable<Finding> {
  const { host, hostname } = new URL(url);
  const pool = new Pool({
    ...(postgresOptions(url).extra as PoolConfig),
    connectionString: url,
    max: 1,
    application_name: 'gatehouse-doctor',
    connectionTimeoutMillis: 2_000,
    query_timeout: 1_500,
  });
  pool.on('error', () => {});
  try {
    const { rows: connections } = await pool.query<{ ssl: boolean }>(IS_ENCRYPTED);
    yield ok(`PostgreSQL at ${host} lets the service in`);
    const isEncrypted = connections.some(({ ssl }) => ssl);
    if (!isEncrypted && hostname !== '' && !isLoopbackHostname(hostname)) {
      yield warn(
        'the connection is not encrypted',
        'add ?sslmode=verify-full to DATABASE_URL, unless no other host is on that network',
      );
    }
    const { rows: tables } = await pool.query<{ name: string }>(FORBIDDEN_TABLES);
    if (tables.length > 0) {
      yield fail(
        `its user may not read and write ${tables.map(({ name }) => name).join(', ')}`,
        'run the GRANT and ALTER DEFAULT PRIVILEGES of docs/guides/operating.md for the user of DATABASE_URL',
      );
    }
    const applied = await readMigrations(async (sql) => (await pool.query(sql)).rows);
    yield* migrationFindings(applied, plan);
  } finally {
    void pool.end().catch(() => {});
  }
}

export async function* redisFindings({
  redisUrl: url,
  redisPrefix: keyPrefix,
}: Config): AsyncIterable<Finding> {
  if (url === undefined) return;
  const redis = redisAt({ url, keyPrefix }, Redis, {
    ...FAIL_FAST,
    lazyConnect: true,
    connectionName: 'gatehouse-doctor',
    connectTimeout: 2_000,
    commandTimeout: 1_500,
    enableReadyCheck: false,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    sentinelCommandTimeout: 1_500,
  });
  let lastError: unknown;
  redis.on('error', (error) => (lastError = error));
  try {
    await redis.connect();
    const info = await redis.info();
    yield ok(`Redis at ${placeOf(url)} lets the service in`);
    if (!info.includes('maxmemory_policy:noeviction')) {
      yield warn(
        'Redis drops challenges and counters when memory runs out, so sign-ups fail and budgets and rate limits start again from zero',
        'set maxmemory-policy noeviction',
      );
    }
    if (!info.includes('aof_enabled:1')) {
      yield warn(
        'the append-only file is off: when Redis ends, budgets start again from zero, and people who create an account or add a passkey begin again',
        'set appendonly yes',
      );
    }
    const lacking = await lackingRights(redis);
    yield lacking === undefined
      ? ok('its user may do all that the service does')
      : fail(lacking.text, lacking.remedy);
  } catch (error) {
    const reason = reasonOf(lastError ?? error);
    yield fail(
      `Redis at ${placeOf(url)} cannot be used: ${sentinelFailure(reason) ?? reason}`,
      'look whether it runs, and correct REDIS_URL or the rights of its user; until then ceremonies answer 503, budgets are unknown and every replica counts visits by itself',
    );
  } finally {
    redis.disconnect();
  }
}
