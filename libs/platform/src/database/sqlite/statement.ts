import { LRUCache } from 'lru-cache';

/** An SQLite statement and the properties that are needed before it runs. */
export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Changes neither the database nor the connection. */
  readonly reads: boolean;
  /** Inserts, updates or deletes. */
  readonly changesRows: boolean;
  /** Changes rows without RETURNING: its outcome is counts, not rows. */
  readonly counts: boolean;
  readonly inserts: boolean;
  /** Begins or ends a transaction, or handles a savepoint in one. */
  readonly control: 'transaction' | 'savepoint' | undefined;
  /** Likely to run again, so the connection keeps it prepared. */
  readonly repeats: boolean;
  /** The other placeholders of a statement with `:now`; they are then bound by name, `$1`, `$2`, … */
  readonly besideNow: readonly string[] | undefined;
}

/** Statements that take effect together, or only the first one when it changes no row. */
export type Change = readonly [Statement, ...Statement[]];

/** The outcome of a statement: rows, or the counts of one that `counts`. */
export interface Outcome {
  readonly rows?: unknown[];
  readonly lastId?: number;
  readonly changes?: number;
}

const QUOTED_OR_COMMENT =
  /'(?:[^']|'')*'|"(?:[^"]|"")*"|`(?:[^`]|``)*`|\[[^\]]*\]|--[^\n]*|\/\*[\s\S]*?(?:\*\/|$)/g;
const CHANGE = /\b(?:INSERT|UPDATE|DELETE|REPLACE)\b(?!\s*\()/;
const PRAGMA = /^PRAGMA\s+(?:\w*\s*\.\s*)?(\w+)\s*([=(])?/;
const ACTING_PRAGMA = /^(?:WAL_CHECKPOINT|OPTIMIZE|INCREMENTAL_VACUUM|SHRINK_MEMORY)$/;
const CHANGING = /^(?:INSERT|REPLACE|UPDATE|DELETE)$/;
const REPEATING = /^(?:SELECT|WITH|INSERT|REPLACE|UPDATE|DELETE|BEGIN|COMMIT)$/;
const ASKING_PRAGMA = /_(?:X?INFO|LIST|CHECK)$/;

const forms = new LRUCache<string, Omit<Statement, 'parameters'>>({
  max: 500,
  memoMethod: (sql) => formOf(sql),
});

/** Looks only at words outside of quotes and comments. When in doubt, a statement counts as a write. */
export function parseStatement(sql: string, parameters: readonly unknown[] = []): Statement {
  return { ...forms.memo(sql), parameters };
}

function formOf(sql: string): Omit<Statement, 'parameters'> {
  const bare = sql.replaceAll(QUOTED_OR_COMMENT, ' ').trim().toUpperCase();
  const verb = /^[A-Z]*/.exec(bare)?.[0] ?? '';
  return {
    sql,
    reads: isRead(verb, bare),
    changesRows: CHANGING.test(verb),
    counts: CHANGING.test(verb) && !/\bRETURNING\b/.test(bare),
    inserts: verb === 'INSERT' || verb === 'REPLACE',
    control: controlOf(verb, bare),
    repeats: REPEATING.test(verb),
    besideNow: /:NOW\b/.test(bare) ? (bare.match(/\$\d+/g) ?? []) : undefined,
  };
}

function isRead(verb: string, bare: string): boolean {
  if (verb === 'SELECT' || verb === 'VALUES' || verb === 'EXPLAIN') return true;
  if (verb === 'WITH') return !CHANGE.test(bare);
  if (verb !== 'PRAGMA') return false;
  const [, name = '', argument] = PRAGMA.exec(bare) ?? [];
  if (argument === '=') return false;
  return argument === '(' ? ASKING_PRAGMA.test(name) : !ACTING_PRAGMA.test(name);
}

function controlOf(verb: string, bare: string): Statement['control'] {
  if (verb === 'SAVEPOINT' || verb === 'RELEASE') return 'savepoint';
  if (verb === 'ROLLBACK') return /\bTO\b/.test(bare) ? 'savepoint' : 'transaction';
  return /^(?:BEGIN|COMMIT|END)$/.test(verb) ? 'transaction' : undefined;
}
