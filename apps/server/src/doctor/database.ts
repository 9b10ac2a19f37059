import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { Pool, type PoolClient, type PoolConfig } from 'pg';
import { isLoopbackHostname } from '#libs/accounts';
import { postgresOptions, readMigrations, readSqliteFile } from '#libs/platform';
import { errorDetails, postgresProblem, sqliteProblem } from '../storage-problems.js';
import { fail, type Finding, ok, warn } from './finding.js';

/** The migrations that the database should have, and how they are run. */
export interface MigrationPlan {
  /** Names, in the order in which they run. */
  readonly known: readonly string[];
  /** Whether the service runs them at start; otherwise an operator runs `gatehouse migrate`. */
  readonly runAtStart: boolean;
}

/** Compares the migrations in the database with those of this version. Runs none. */
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
/** `f_type` of statfs(2) for NFS, SMB, CIFS, 9P, Ceph, AFS and Lustre. */
const NETWORK_FILE_SYSTEMS = new Set([
  0x6969, 0x517b, 0xfe534d42, 0xff534d42, 0x01021997, 0x00c36400, 0x5346414f, 0x0bd00bd0,
]);
const OWN_IT = 'to the user that the service runs as, and run the doctor as that user';

/**
 * Checks where the file is, then its migrations. Only SQLite itself opens the file: closing it here would drop the
 * locks that SQLite holds for this process.
 */
export async function* sqliteFindings(path: string, plan: MigrationPlan): AsyncIterable<Finding> {
  const file = await stat(path).catch(() => undefined);
  if (file?.isFile() === false) {
    yield fail(`${path} is not a file`, 'let DATABASE_URL name a file');
    return;
  }
  const folder = dirname(path);
  const [nearest, stats] = await nearestExisting(folder);
  if (!stats.isDirectory()) {
    yield fail(`${nearest} is not a folder`, 'let DATABASE_URL name a file in a folder');
    return;
  }
  if (!(await may(nearest, constants.W_OK | constants.X_OK))) {
    yield fail(
      `${nearest} is not writable: SQLite keeps files next to the database`,
      `give the folder ${OWN_IT}`,
    );
    return;
  }
  if (NETWORK_FILE_SYSTEMS.has((await statfs(nearest)).type)) {
    yield fail(
      `${nearest} is on a network file system, where SQLite's locks do not hold`,
      'put the file on a local disk, or use PostgreSQL',
    );
  }
  if (nearest === folder) {
    const remedy = `chmod 700 ${folder}; the service closes only folders that it makes itself`;
    yield accessFinding(folder, stats.mode, OPEN_FOLDER, remedy);
  }
  if (file === undefined) {
    yield ok(`${path} does not exist yet: it is made at the next start`);
    return;
  }
  if (!(await may(path, constants.R_OK | constants.W_OK))) {
    yield fail(
      `${path} cannot be read and written by this user; it belongs to user ${file.uid}`,
      `give the file and its folder ${OWN_IT}`,
    );
  }
  const remedy = 'start the service as its owner, which closes it, or chmod 600';
  yield accessFinding(path, file.mode, OPEN_FILE, remedy);
  yield* sqliteMigrations(path, plan);
}

async function nearestExisting(
  folder: string,
): Promise<[string, Awaited<ReturnType<typeof stat>>]> {
  const stats = await stat(folder).catch(() => undefined);
  return stats === undefined ? nearestExisting(dirname(folder)) : [folder, stats];
}

const may = (path: string, mode: number) =>
  access(path, mode).then(
    () => true,
    () => false,
  );

/** Whether other users of the machine can access the database. */
function accessFinding(path: string, mode: number | bigint, open: number, remedy: string): Finding {
  const rights = Number(mode) & 0o777;
  if ((rights & open) === 0) return ok(`${path} is closed to other users`);
  const text = `${path} is open to other users of this machine (mode ${rights.toString(8)})`;
  return warn(text, remedy);
}

async function* sqliteMigrations(path: string, plan: MigrationPlan): AsyncIterable<Finding> {
  try {
    const applied = await readMigrations((sql) => readSqliteFile(path, sql));
    yield* migrationFindings(applied, plan);
  } catch (error) {
    const { code } = errorDetails(error);
    const { text, remedy } = sqliteProblem(path, error) ?? {
      text: `${path} cannot be read (${code})`,
      remedy: 'look at the rights on the file and its folder',
    };
    yield code === 'SQLITE_BUSY'
      ? warn(text, 'find out who holds it: the service waits for 5 s at most')
      : fail(text, remedy);
  }
}

/** What PostgreSQL reports about itself and about our connection. */
export interface PostgresServer {
  readonly isStandby: boolean;
  /** Available to users that are not superusers. */
  readonly maxConnections: number;
  readonly isEncrypted: boolean | null;
  readonly mayCreate: boolean;
}

/** The pool of a replica, and one connection for migrations. */
const NEEDED_CONNECTIONS = 11;

const DESCRIBE_SERVER = `
  SELECT pg_is_in_recovery() AS "isStandby",
    current_setting('max_connections')::int
      - current_setting('superuser_reserved_connections')::int AS "maxConnections",
    (SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()) AS "isEncrypted",
    coalesce(has_schema_privilege(current_schema(), 'CREATE'), false) AS "mayCreate"`;

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
  const pool = new Pool({
    ...(postgresOptions(url).extra as PoolConfig),
    connectionString: url,
    max: 1,
    application_name: 'gatehouse-doctor',
    connectionTimeoutMillis: 2_000,
    query_timeout: 1_500,
  });
  pool.on('error', () => {});
  let client: PoolClient | undefined;
  try {
    const connection = await pool.connect();
    client = connection;
    yield ok(`PostgreSQL at ${host} lets the service in`);
    const { rows } = await connection.query<PostgresServer>(DESCRIBE_SERVER);
    const applied = await readMigrations(async (sql) => (await connection.query(sql)).rows);
    const hasPending = plan.runAtStart && plan.known.some((name) => !applied.includes(name));
    for (const server of rows) yield* postgresServerFindings(host, server, hasPending);
    if (applied.length > 0) yield await rightsFinding(connection);
    yield* migrationFindings(applied, plan);
  } catch (error) {
    const { text, remedy } = postgresProblem(host, error);
    yield fail(text, remedy);
  } finally {
    client?.release(true);
    void pool.end().catch(() => {});
  }
}

export function* postgresServerFindings(
  host: string,
  { isStandby, isEncrypted, maxConnections, mayCreate }: PostgresServer,
  hasPending: boolean,
): Iterable<Finding> {
  if (isStandby) {
    yield fail('it is a standby: nothing can be written', 'let DATABASE_URL name the primary');
  } else if (hasPending && !mayCreate) {
    yield fail(
      'migrations are pending, but the user may not create tables',
      'GRANT CREATE ON SCHEMA public TO the user of DATABASE_URL',
    );
  }
  const hostname = host.replace(/:\d+$/, '');
  if (isEncrypted !== true && hostname !== '' && !isLoopbackHostname(hostname)) {
    yield warn(
      'the connection is not encrypted',
      'add ?sslmode=verify-full to DATABASE_URL, unless no other host is on that network',
    );
  }
  if (maxConnections < NEEDED_CONNECTIONS) {
    yield fail(
      `${maxConnections} connections are allowed and a replica takes up to ${NEEDED_CONNECTIONS}`,
      'raise max_connections: requests wait for a connection and get 503',
    );
  }
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
