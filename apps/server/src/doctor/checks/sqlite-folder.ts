import { access, constants, mkdtemp, rm, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fail, type Finding, ok, warn } from '../finding.js';
import { SqliteProbe } from './sqlite-probe.js';
import { folderRightsFinding } from './sqlite-rights.js';

const MIB = 1024 * 1024;
const TOO_LITTLE_MIB = 64;
const LITTLE_MIB = 1024;

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

/** Whether SQLite can work in a folder, or in the nearest one above it that is there. */
export async function* folderFindings(folder: string): AsyncIterable<Finding> {
  const nearest = await nearestExisting(folder);
  if (!(await stat(nearest)).isDirectory()) {
    yield fail(`${nearest} is not a folder`, 'let DATABASE_URL name a file in a folder');
    return;
  }
  try {
    await access(nearest, constants.W_OK | constants.X_OK);
  } catch {
    yield fail(
      `${nearest} is not writable: SQLite keeps files next to the database`,
      'give the folder to the user that the service runs as, and run the doctor as that user',
    );
    return;
  }
  yield nearest === folder
    ? ok(`${folder} is writable`)
    : ok(`${folder} does not exist yet: it can be made in ${nearest}`);
  if (nearest === folder) yield await folderRightsFinding(folder);
  yield await diskFinding(nearest);
  yield await spaceFinding(nearest);
  yield await logFinding(nearest);
}

async function nearestExisting(folder: string): Promise<string> {
  const isThere = await stat(folder).then(
    () => true,
    () => false,
  );
  return isThere || dirname(folder) === folder ? folder : nearestExisting(dirname(folder));
}

async function diskFinding(folder: string): Promise<Finding> {
  const { type } = await statfs(folder);
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

async function spaceFinding(folder: string): Promise<Finding> {
  const { bavail, bsize } = await statfs(folder);
  const free = Math.floor((bavail * bsize) / MIB);
  const text = `${free} MiB of disk space are free`;
  if (free >= LITTLE_MIB) return ok(text);
  const remedy = 'make room: without it every write is refused with 503';
  return free < TOO_LITTLE_MIB ? fail(text, remedy) : warn(text, remedy);
}

/** Tries a write-ahead log out on a file of its own, which it removes. */
async function logFinding(folder: string): Promise<Finding> {
  const trial = await mkdtemp(join(folder, '.gatehouse-doctor-'));
  try {
    const probe = await SqliteProbe.create(join(trial, 'trial.sqlite'));
    try {
      const mode = await probe.value('PRAGMA journal_mode = WAL');
      await probe.rows('CREATE TABLE trial (id integer)');
      if (mode === 'wal') return ok('SQLite can keep a write-ahead log there');
    } finally {
      await probe.close();
    }
    return fail('SQLite cannot keep a write-ahead log there', 'put the file on a local disk');
  } finally {
    await rm(trial, { recursive: true, force: true });
  }
}
