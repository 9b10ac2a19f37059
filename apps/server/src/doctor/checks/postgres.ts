import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { postgresOptions } from '#libs/platform';
import { fail, type Finding, ok } from '../finding.js';
import { clockFinding } from './clock.js';
import { migrationFindings, type MigrationPlan, pendingMigrations } from './migrations.js';
import { postgresServerFindings, type PostgresServer } from './postgres-server.js';
import { postgresProbeError } from './postgres-probe-errors.js';

const CONNECT_LIMIT_MS = 2_000;
const ANSWER_LIMIT_MS = 1_500;
const UNDEFINED_TABLE = '42P01';

const DESCRIBE_SERVER = `
  SELECT current_setting('server_version_num')::int AS version,
    pg_is_in_recovery() AS "isStandby",
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int AS "maxConnections",
    current_setting('statement_timeout') AS "statementTimeout",
    (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS "isEncrypted",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate"`;

const READ_CLOCK = 'SELECT extract(epoch FROM clock_timestamp())::float8 * 1000 AS now';

/**
 * The rights that the user lacks on the tables of the role that ran the migrations, and on their key sequences. The
 * table of migrations only has to be readable.
 */
const LACKING = `
  WITH owner AS (
    SELECT relowner, relnamespace FROM pg_class WHERE oid = to_regclass('migrations')
  ), needed AS (
    SELECT relname, privilege,
      has_table_privilege(pg_class.oid, privilege) AS has
    FROM pg_class JOIN owner USING (relowner, relnamespace),
      unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) AS privilege
    WHERE relkind IN ('r', 'p') AND (relname <> 'migrations' OR privilege = 'SELECT')
    UNION ALL
    SELECT relname, 'USAGE',
      CASE relkind WHEN 'S' THEN has_sequence_privilege(pg_class.oid, 'USAGE') END
    FROM pg_class JOIN owner USING (relowner, relnamespace)
    WHERE relkind = 'S' AND NOT EXISTS (
      SELECT 1 FROM pg_depend WHERE objid = pg_class.oid AND deptype = 'i'
    )
  )
  SELECT relname AS name, array_agg(privilege::text ORDER BY privilege) AS rights
  FROM needed WHERE NOT has GROUP BY relname ORDER BY relname`;

/** Connects once, the way the service does, and only reads. */
export async function* postgresFindings(url: string, plan: MigrationPlan): AsyncIterable<Finding> {
  const { host } = new URL(url);
  const pool = new Pool(poolOptions(url));
  pool.on('error', () => {});
  let client: PoolClient | undefined;
  try {
    client = await pool.connect();
    const { rows } = await client.query<PostgresServer>(DESCRIBE_SERVER);
    const { rights, applied } = await migrationsAndRights(client);
    for (const server of rows) {
      const hasPending = plan.runAtStart && pendingMigrations(applied, plan).length > 0;
      yield* postgresServerFindings(host, server, hasPending);
    }
    if (rights) yield rights;
    yield await readClock(client);
    yield* migrationFindings(applied, plan);
  } catch (error) {
    yield postgresProbeError(host, error);
  } finally {
    client?.release(true);
    void pool.end().catch(() => {});
  }
}

const poolOptions = (url: string): PoolConfig => ({
  ...(postgresOptions(url).extra as PoolConfig),
  connectionString: url,
  max: 1,
  application_name: 'gatehouse-doctor',
  connectionTimeoutMillis: CONNECT_LIMIT_MS,
  query_timeout: ANSWER_LIMIT_MS,
});

/** Names of the applied migrations, and the finding about rights where tables exist. */
async function migrationsAndRights(client: PoolClient) {
  try {
    const rights = await rightsFinding(client);
    const { rows } = await client.query<{ name: string }>('SELECT name FROM migrations');
    return { rights, applied: rows.map(({ name }) => name) };
  } catch (error) {
    const { code } = error as { code?: string };
    if (code === UNDEFINED_TABLE) return { applied: [] };
    throw error;
  }
}

async function readClock(client: PoolClient): Promise<Finding> {
  const asked = Date.now();
  const { rows } = await client.query<{ now: number }>(READ_CLOCK);
  return clockFinding('PostgreSQL', { theirs: rows[0]?.now ?? 0, asked, answered: Date.now() });
}

/** Whether the user may read and write each table, including those of the latest migration. */
async function rightsFinding(client: PoolClient): Promise<Finding> {
  const { rows } = await client.query<{ name: string; rights: string[] }>(LACKING);
  if (rows.length === 0) return ok('its user may read and write every table');
  const lacking = rows.map(({ name, rights }) => `${rights.join(', ')} on ${name}`);
  return fail(
    `its user lacks rights: ${lacking.join('; ')}`,
    'run the GRANT and ALTER DEFAULT PRIVILEGES of docs/guides/operating.md for the user of DATABASE_URL',
  );
}
