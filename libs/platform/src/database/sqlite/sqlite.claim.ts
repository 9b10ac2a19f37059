import { realpath } from 'node:fs/promises';
import { isNativeError } from 'node:util/types';
import sqlite3 from 'sqlite3';
import { makePrivateFile } from './private-file.js';

/** What a process knows of others that serve from the same SQLite file. */
export interface SqliteClaim {
  /** False when another one, that lives, took its claim before. */
  readonly isFirst: boolean;
  release(): Promise<void>;
}

/**
 * Claims an SQLite file for this process, by a lock on an empty file beside it (`<file>-claim`): the system
 * releases it however the process ends. Keeps nobody from the file; without the right to make that file
 * everybody is the first. Two claims of one process count as two.
 */
export async function claimSqliteFile(path: string): Promise<SqliteClaim> {
  const file = `${await realpath(path)}-claim`;
  await makePrivateFile(file);
  const database = new sqlite3.Database(file, () => undefined);
  const locked = new Promise<Error | null>((resolve) => {
    database.exec('BEGIN EXCLUSIVE', resolve);
  });
  const isFirst = !isBusy(await locked);
  return { isFirst, release: () => new Promise((resolve) => database.close(() => resolve())) };
}

const isBusy = (error: Error | null) =>
  isNativeError(error) && 'code' in error && error.code === 'SQLITE_BUSY';
