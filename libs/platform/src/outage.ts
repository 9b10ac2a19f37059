import type { Logger } from '@nestjs/common';

export function codeOf(error: unknown): string | undefined {
  const { code } = Object(error) as { readonly code?: unknown };
  return typeof code === 'string' ? code : undefined;
}

export const NETWORK =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|ETIMEDOUT|EPIPE|ENOTFOUND|EAI_AGAIN|E(?:HOST|NET)(?:UNREACH|DOWN))$/;

/** SQLite's result codes, extended ones included (`SQLITE_IOERR_WRITE`). */
const SQLITE =
  /^SQLITE_(?:BUSY|LOCKED|PROTOCOL|FULL|IOERR|CANTOPEN|READONLY|NOMEM|CORRUPT|NOTADB)(?:_|$)/;

/** Connection; authorization, which is only refused while connecting; resources; system. */
const POSTGRES_CLASSES = new Set(['08', '28', '53', '58']);

const POSTGRES_STATES = new Set([
  '3D000', // no such database
  '25006', // read only: a standby
  '26000', // a prepared statement was lost on the way
  '42P05', // another one has its name
  '25P03', // idle in transaction for too long
  '40001', // serialization failure
  '40P01', // deadlock
  '55P03', // lock not available
  '57014', // statement timeout
  '57P01', // shutdown
  '57P02', // crash
  '57P03', // starting up
  '57P04', // database dropped
  '57P05', // idle for too long
  'XX001', // corrupted data
  'XX002', // corrupted index
]);

/**
 * Whether Postgres refused a prepared statement because a column's type has changed, as in a migration. By the
 * routine: the message is in the server's language. The connection keeps refusing the statement.
 */
export const isPlanOutdated = (error: unknown): boolean =>
  error instanceof Error && 'routine' in error && error.routine === 'RevalidateCachedQuery';

/** TypeORM releases a runner when its connection dies, so the next statement finds it released. */
const NAMES = new Set([
  'ConnectionIsNotSetError',
  'CannotExecuteNotConnectedError',
  'QueryRunnerAlreadyReleasedError',
  'QueryRunnerProviderAlreadyReleasedError',
]);

/** Beginnings of messages, for errors with neither a code nor a name of their own. */
const MESSAGES = [
  'Cannot use a pool after calling end on the pool',
  'Client has encountered a connection error',
  'Client was closed',
  'Connection terminated',
  'Driver not Connected',
  'Query read timeout',
  'SQLITE_MISUSE: Database is closed',
  'SQLITE_MISUSE: Database handle is closed',
  'timeout exceeded when trying to connect',
  'timeout expired',
];

/**
 * Whether the database is down, full, too slow, or gave way to other work, so that the same request may succeed later;
 * looks through `driverError`, `cause` and `errors`. Only for errors that came from the database: a network code does
 * not tell which connection failed.
 */
export function isDatabaseOutage(error: unknown): boolean {
  return walk(error, new Set());
}

function walk(error: unknown, seen: Set<unknown>): boolean {
  if (typeof error !== 'object' || error === null || seen.has(error)) return false;
  seen.add(error);
  if (isOutageItself(error) || isPlanOutdated(error)) return true;
  const { driverError, cause, errors }: Linked = error;
  return [driverError, cause, ...(Array.isArray(errors) ? errors : [])].some((inner) =>
    walk(inner, seen),
  );
}

interface Linked {
  readonly driverError?: unknown;
  readonly cause?: unknown;
  readonly errors?: unknown;
}

function isOutageItself(error: { name?: unknown; message?: unknown }): boolean {
  const { name, message } = error;
  if (isOutageCode(codeOf(error) ?? '')) return true;
  if (typeof name === 'string' && NAMES.has(name)) return true;
  return typeof message === 'string' && MESSAGES.some((known) => message.startsWith(known));
}

function isOutageCode(code: string): boolean {
  if (NETWORK.test(code) || SQLITE.test(code) || POSTGRES_STATES.has(code)) return true;
  return code.length === 5 && POSTGRES_CLASSES.has(code.slice(0, 2));
}

export function isUniqueViolation(error: unknown): boolean {
  const code = codeOf((Object(error) as Linked).driverError);
  if (code === '23505') return true;
  return code === 'SQLITE_CONSTRAINT' && String(error).includes('UNIQUE constraint');
}

export type RefusedWrite = 'full' | 'read-only' | 'io';

/** Codes of Postgres, prefixes of SQLite's codes, which match extended codes too, and patterns of Redis' replies. */
const REASONS: readonly (readonly [RegExp, RefusedWrite])[] = [
  [/^(?:53100$|SQLITE_FULL)/, 'full'],
  [/^(?:25006$|SQLITE_READONLY)/, 'read-only'],
  [/^(?:58030$|SQLITE_IOERR)/, 'io'],
];

const REPLIES: readonly (readonly [RegExp, RefusedWrite])[] = [
  [/\bOOM command not allowed/, 'full'],
  [/\bREADONLY You can't write/, 'read-only'],
  [/\bMISCONF /, 'io'],
];

/** Why a store that still answers reads refused a write; undefined for any other failure. */
export function refusedWrite(error: unknown): RefusedWrite | undefined {
  const code = codeOf(error);
  if (code !== undefined) return REASONS.find(([pattern]) => pattern.test(code))?.[1];
  const { message, name } = Object(error) as { message?: unknown; name?: unknown };
  if (name !== 'ReplyError') return undefined;
  return REPLIES.find(([pattern]) => pattern.test(String(message)))?.[1];
}

/** Logs once that an outage has begun and once that it is over, however many calls fail or succeed in between. */
export class OutageLog {
  private isOut = false;
  private quietUntil = -Infinity;

  /** Outages that begin within `quietMs` of the last one that was logged are not logged. */
  constructor(
    private readonly logger: Pick<Logger, 'log' | 'warn'>,
    private readonly quietMs = 0,
  ) {}

  /** The result of `work`; when it fails, logs `line` with the error as the beginning, and returns undefined. */
  async watch<T>(work: () => Promise<T>, line: string, endLine?: string): Promise<T | undefined> {
    try {
      const result = await work();
      this.end(endLine);
      return result;
    } catch (error) {
      this.begin(`${line}: ${String(error)}`);
      return undefined;
    }
  }

  begin(line: string, now = performance.now()): void {
    if (this.isOut || now < this.quietUntil) return;
    this.isOut = true;
    this.quietUntil = now + this.quietMs;
    this.logger.warn(line);
  }

  /** Without `line` the end is not logged. */
  end(line?: string): void {
    if (this.isOut && line !== undefined) this.logger.log(line);
    this.isOut = false;
  }
}
