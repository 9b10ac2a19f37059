import { type DatabaseUrl, isDatabaseOutage } from '#libs/platform';

/** The database cannot be used; the message says where it is, what the way to it answered, and what to do. */
export class DatabaseStartError extends Error {
  override name = 'DatabaseStartError';

  constructor(database: DatabaseUrl, cause: unknown) {
    const { text, remedy } = databaseFailure(database, cause);
    super(`DATABASE_URL: ${text}; ${remedy}`, { cause });
  }
}

/** Why the database cannot be used, in its own words, and what an operator can do about it. */
export const databaseFailure = (database: DatabaseUrl, error: unknown) =>
  database.type === 'sqlite'
    ? {
        text: `${database.path} cannot be used: ${reasonOf(error)}`,
        remedy:
          'let it name an SQLite file on a local disk, in a folder in which the user of the service may write',
      }
    : {
        text: `PostgreSQL at ${new URL(database.url).host} cannot be used: ${reasonOf(error)}`,
        remedy:
          'look whether it runs, and correct host, database, user, password and sslmode, or the rights of the user',
      };

/** The message of an error, or its code: Node's error for several failed addresses has only that. */
export function reasonOf(error: unknown): string {
  const { message, code } = Object(error) as Partial<NodeJS.ErrnoException>;
  return message || (code ?? String(error));
}

const INSUFFICIENT_PRIVILEGE = '42501';

/** The result of `open`. @throws DatabaseStartError where the database, or the connection to it, is the cause */
export async function explained<T>(database: DatabaseUrl, open: () => Promise<T>): Promise<T> {
  try {
    return await open();
  } catch (error) {
    const isToBlame =
      isDatabaseOutage(error) ||
      'syscall' in Object(error) ||
      (error as NodeJS.ErrnoException).code === INSUFFICIENT_PRIVILEGE ||
      /SSL|certificate|write-ahead log/i.test(reasonOf(error));
    throw isToBlame ? new DatabaseStartError(database, error) : error;
  }
}
