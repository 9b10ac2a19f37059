import { type DatabaseUrl, isDatabaseOutage } from '#libs/platform';
import { postgresProbeError } from './doctor/checks/postgres-probe-errors.js';
import { sqliteProbeError } from './doctor/checks/sqlite-probe-errors.js';
import type { Finding } from './doctor/finding.js';
import { errorDetails } from './doctor/network-errors.js';

/** The code for a missing right of a Postgres user. */
const INSUFFICIENT_PRIVILEGE = '42501';

/** Explains in one line why the database cannot be used, where it is, and what to do. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError';

  constructor({ text, remedy }: Finding, cause: unknown) {
    super(`DATABASE_URL: ${text}: ${remedy}`, { cause });
  }
}

/** The result of `open`. @throws DatabaseStartError where the database, or the connection to it, is the cause */
export async function explained<T>(database: DatabaseUrl, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const finding = findingOf(database, error);
    throw finding ? new DatabaseStartError(finding, error) : error;
  }
}

function findingOf(database: DatabaseUrl, error: unknown): Finding | undefined {
  if (database.type === 'sqlite') return sqliteProbeError(database.path, error);
  const { code, message } = errorDetails(error);
  const isToBlame =
    isDatabaseOutage(error) || code === INSUFFICIENT_PRIVILEGE || /SSL|certificate/i.test(message);
  return isToBlame ? postgresProbeError(new URL(database.url).host, error) : undefined;
}
