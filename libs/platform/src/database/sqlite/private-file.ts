import { chmod, mkdir, open } from 'node:fs/promises';
import { dirname } from 'node:path';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** The database itself and what SQLite keeps beside it, with the rights that the database has then. */
const SIDES = ['', '-wal', '-shm', '-journal'];

/** Makes the folder of a file, and those above it, for this user alone. One that is there stays as it is. */
export async function makePrivateFolder(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
}

/**
 * Sees to it that only this user can read and write an SQLite file, whatever the umask: makes an empty
 * one where there is none, before SQLite would. Never opens a file that is there: closing it again would
 * drop the locks that SQLite holds for this process. What cannot be changed is left for SQLite to report.
 */
export async function makePrivateFile(file: string): Promise<void> {
  await open(file, 'ax', OWNER_ONLY).then(
    (made) => made.close(),
    () => undefined,
  );
  await Promise.all(SIDES.map((side) => chmod(file + side, OWNER_ONLY).catch(() => undefined)));
}
