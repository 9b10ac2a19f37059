import { fail, type Finding } from '../finding.js';
import { errorDetails } from '../network-errors.js';

const GIVE = 'give the file and its folder to the user that the service runs as';

/** By SQLite's result codes, and by those of the file system on which the folder or file is created. */
const FAULTS: Readonly<Record<string, readonly [what: string, remedy: string]>> = {
  SQLITE_NOTADB: ['is not an SQLite database', 'let DATABASE_URL name another file'],
  SQLITE_CORRUPT: ['is damaged', 'restore a back-up'],
  SQLITE_BUSY: ['is locked by another process', 'end that process, and start again'],
  SQLITE_READONLY: ['cannot be written', GIVE],
  SQLITE_CANTOPEN: ['cannot be opened', `let DATABASE_URL name a file, and ${GIVE}`],
  SQLITE_FULL: ['cannot grow: the disk is full', 'make room'],
  EACCES: ['cannot be opened by this user', GIVE],
  EPERM: ['cannot be opened by this user', GIVE],
  EROFS: ['is on a file system that cannot be written', 'let DATABASE_URL name a file elsewhere'],
  EISDIR: ['is a folder', 'let DATABASE_URL name a file'],
  ENOTDIR: ['is not in a folder', 'let DATABASE_URL name a file in a folder'],
  EEXIST: ['is not in a folder', 'let DATABASE_URL name a file in a folder'],
  ELOOP: ['leads round in a circle', 'let DATABASE_URL name a file'],
  ENAMETOOLONG: ['has too long a name', 'let DATABASE_URL name a file'],
  ENOSPC: ['cannot be made: the disk is full', 'make room'],
};

/** Explains why the service cannot use an SQLite file; undefined for errors that the file does not cause. */
export function sqliteProbeError(path: string, error: unknown): Finding | undefined {
  const { code, message } = errorDetails(error);
  const fault = FAULTS[code] ?? FAULTS[/^SQLITE_[A-Z]+/.exec(code)?.[0] ?? ''];
  if (fault) return fail(`${path} ${fault[0]}`, fault[1]);
  if (message.includes('cannot keep a write-ahead log')) {
    return fail(
      `SQLite cannot keep a write-ahead log beside ${path}`,
      'put the file on a local disk, or use PostgreSQL',
    );
  }
  if (!code.startsWith('SQLITE_IOERR')) return undefined;
  return fail(`${path} cannot be read or written (${code})`, 'look at the disk that it is on');
}
