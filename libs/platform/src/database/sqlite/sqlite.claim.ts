import { realpath } from 'node:fs/promises';
import { isNativeError } from 'node:util/types';
import sqlite3 from 'sqlite3';
import { makePrivateFile } from './private-file.js';

/** Whether other processes serve from the same SQLite file. */
export interface SqliteClaim {
  /** False when another running process has claimed the file before. */
  readonly isFirst: boolean;
  release(): Promise<void>;
}

/**
 * Claims an SQLite file for this process, by a lock on an empty file beside it (`<file>-claim`), which the system
 * releases however the process ends. The claim prevents no access to the database; a process that cannot create
 * that file counts as first. Two claims of one process count as two.
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
