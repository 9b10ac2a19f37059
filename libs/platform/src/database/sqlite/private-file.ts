import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** The database and the files that SQLite keeps beside it, which get the permissions of the database. */
const SIDES = ['', '-wal', '-shm', '-journal'];

/** Creates the folder of a file, and its parents, for this user only. Existing folders are not changed. */
export async function makePrivateFolder(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
}

/**
 * Ensures that only this user can read and write an SQLite file, whatever the umask: creates an empty file before
 * SQLite would. Never opens an existing file: closing it again would drop the locks that SQLite holds for this
 * process. Errors are ignored here, because SQLite reports them.
 */
export async function makePrivateFile(file: string): Promise<void> {
  await open(file, 'ax', OWNER_ONLY).then(
    (made) => made.close(),
    () => undefined,
  );
  await Promise.all(SIDES.map((side) => chmod(file + side, OWNER_ONLY).catch(() => undefined)));
}
