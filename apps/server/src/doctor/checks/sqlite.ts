import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import sqlite3 from 'sqlite3';
import { fail, type Finding, ok, warn } from '../finding.js';
import { errorDetails } from '../network-errors.js';
import { migrationFindings, type MigrationPlan } from './migrations.js';
import { sqliteProbeError } from './sqlite-probe-errors.js';

const BUSY_TIMEOUT_MS = 1_000;
const INTEGRITY_LIMIT_MS = 2_000;

/** Rights that a folder must not give: any to other users, and write access to its group, which could add a file. */
const OPEN_FOLDER = 0o027;
const OPEN_FILE = 0o077;

const OWN_IT = 'to the user that the service runs as, and run the doctor as that user';

/** `f_type` of statfs(2). */
const NETWORK_FILE_SYSTEMS = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0xff534d42, 'CIFS'],
  [0x01021997, '9P'],
  [0x00c36400, 'Ceph'],
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
]);
const TMPFS = 0x01021994;

/**
 * Checks where the file is, then what it contains. Only SQLite itself opens the file: closing it here would drop the
 * locks that SQLite holds for this process.
 */
export async function* sqliteFindings(path: string, plan: MigrationPlan): AsyncIterable<Finding> {
  const file = await stat(path).catch(() => undefined);
  let usable = file === undefined || file.isFile();
  if (!usable) yield fail(`${path} is not a file`, 'let DATABASE_URL name a file');
  for await (const finding of folderFindings(dirname(path))) {
    yield finding;
    usable &&= finding.severity !== 'FAIL';
  }
  if (!usable) return;
  if (file === undefined) {
    yield ok(`${path} does not exist yet: it is made at the next start`);
    return;
  }
  yield (await may(path, constants.R_OK | constants.W_OK))
    ? ok(`${path} can be read and written`)
    : fail(
        `${path} cannot be read and written by this user; it belongs to user ${file.uid}`,
        `give the file and its folder ${OWN_IT}`,
      );
  const remedy = 'start the service as its owner, which closes it, or chmod 600';
  yield rightsFinding(path, file.mode, OPEN_FILE, remedy);
  yield* contentFindings(path, plan);
}

/** Whether SQLite can work in a folder, or in its nearest existing parent. */
async function* folderFindings(folder: string): AsyncIterable<Finding> {
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
  if (nearest === folder) {
    yield ok(`${folder} is writable`);
    const remedy = `chmod 700 ${folder}; the service closes only folders that it makes itself`;
    yield rightsFinding(folder, stats.mode, OPEN_FOLDER, remedy);
  } else yield ok(`${folder} does not exist yet: it can be made in ${nearest}`);
  yield diskFinding(nearest, (await statfs(nearest)).type);
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
function rightsFinding(path: string, mode: number | bigint, open: number, remedy: string): Finding {
  const rights = Number(mode) & 0o777;
  if ((rights & open) === 0) return ok(`${path} is closed to other users`);
  const text = `${path} is open to other users of this machine (mode ${rights.toString(8)})`;
  return warn(text, remedy);
}

function diskFinding(folder: string, type: number): Finding {
  const network = NETWORK_FILE_SYSTEMS.get(type);
  if (network !== undefined) {
    return fail(
      `${folder} is on a network file system (${network}), where SQLite's locks do not hold`,
      'put the file on a local disk, or use PostgreSQL',
    );
  }
  if (type !== TMPFS) return ok(`${folder} is on a local disk`);
  return warn(
    `${folder} is in memory (tmpfs): all accounts are gone after a restart of the machine`,
    'put the file on a disk',
  );
}

/** Reads an existing file, read only: its integrity, and its pending migrations. */
async function* contentFindings(path: string, plan: MigrationPlan): AsyncIterable<Finding> {
  let database: sqlite3.Database | undefined;
  try {
    database = await open(path);
    yield await integrityFinding(database);
    yield* migrationFindings(await appliedMigrations(database), plan);
  } catch (error) {
    const { code } = errorDetails(error);
    const { text, remedy = '' } =
      sqliteProbeError(path, error) ??
      fail(`${path} cannot be read (${code})`, 'look at the rights on the file and its folder');
    yield code === 'SQLITE_BUSY'
      ? warn(text, 'find out who holds it: the service waits for 5 s at most')
      : fail(text, remedy);
  } finally {
    database?.close(() => undefined);
  }
}

const open = (path: string) =>
  new Promise<sqlite3.Database>((resolve, reject) => {
    const database = new sqlite3.Database(path, sqlite3.OPEN_READONLY, (error) => {
      if (error) {
        reject(error);
        return;
      }
      database.configure('busyTimeout', BUSY_TIMEOUT_MS);
      resolve(database);
    });
  });

const rowsOf = (database: sqlite3.Database, sql: string) =>
  new Promise<Record<string, unknown>[]>((resolve, reject) => {
    database.all<Record<string, unknown>>(sql, (error, rows) => {
      if (error) reject(error);
      else resolve(rows);
    });
  });

/** A large file takes long to read: without a finding within the time limit it counts as sound. */
async function integrityFinding(database: sqlite3.Database): Promise<Finding> {
  const limit = setTimeout(() => database.interrupt(), INTEGRITY_LIMIT_MS);
  try {
    const [{ quick_check: found } = {}] = await rowsOf(database, 'PRAGMA quick_check(1)');
    if (found === 'ok') return ok('the file is sound (quick_check)');
    return fail(`the file is damaged: ${String(found)}`, 'restore a back-up');
  } catch (error) {
    if (errorDetails(error).code !== 'SQLITE_INTERRUPT') throw error;
    return warn(
      `the file is too large to be checked in ${INTEGRITY_LIMIT_MS / 1000} s; nothing was found wrong so far`,
      "run sqlite3 <file> 'PRAGMA quick_check' on a copy",
    );
  } finally {
    clearTimeout(limit);
  }
}

/** Empty where the table of migrations does not exist yet. */
const appliedMigrations = (database: sqlite3.Database): Promise<string[]> =>
  rowsOf(database, 'SELECT name FROM migrations').then(
    (rows) => rows.map(({ name }) => String(name)),
    (error: unknown) => {
      if (errorDetails(error).code === 'SQLITE_ERROR') return [];
      throw error;
    },
  );
