/** Why a running store refuses writes. */
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
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, message, name }: { code?: unknown; message?: unknown; name?: unknown } = error;
  if (typeof code === 'string') return REASONS.find(([pattern]) => pattern.test(code))?.[1];
  if (name !== 'ReplyError' || typeof message !== 'string') return undefined;
  return REPLIES.find(([pattern]) => pattern.test(message))?.[1];
}
