import { chmod, mkdir, open, realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import sqlite3 from 'sqlite3';
import { codeOf } from '../../outage.js';

const OWNER_ONLY = 0o600;
const OWNER_ONLY_FOLDER = 0o700;

/** The database and the files that SQLite keeps beside it, which get the permissions of the database. */
const SIDES = ['', '-wal', '-shm', '-journal'];

/** Creates the folder of a file, and its parents, for this user only. Existing folders are not changed. */
export async function makePrivateFolder(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true, mode: OWNER_ONLY_FOLDER });
}

/**
 * Creates an SQLite file before SQLite would, for this user only whatever the umask. Never opens an existing one:
 * closing it would drop SQLite's locks of this process. SQLite reports the errors that are ignored here.
 */
export async function makePrivateFile(file: string): Promise<void> {
  await open(file, 'ax', OWNER_ONLY).then(
    (made) => made.close(),
    () => undefined,
  );
  await Promise.all(SIDES.map((side) => chmod(file + side, OWNER_ONLY).catch(() => undefined)));
}

export interface SqliteClaim {
  readonly isFirst: boolean;
  release(): Promise<void>;
}

/**
 * Claims an SQLite file for this process, by a lock on `<file>-claim`, which the system releases however the process
 * ends. A process that cannot create that file counts as first; two claims of one process count as two.
 */
export async function claimSqliteFile(path: string): Promise<SqliteClaim> {
  const file = `${await realpath(path)}-claim`;
  await makePrivateFile(file);
  const database = new sqlite3.Database(file, () => undefined);
  const refusal: unknown = await settled((done) => database.exec('BEGIN EXCLUSIVE', done)).catch(
    (error: unknown) => error,
  );
  const isFirst = !isBusy(refusal);
  return { isFirst, release: () => new Promise((resolve) => database.close(() => resolve())) };
}

const isBusy = (error: unknown) => codeOf(error) === 'SQLITE_BUSY';

const settled = <Result>(
  call: (done: (error: Error | null, result?: Result) => void) => void,
): Promise<Result> =>
  new Promise((resolve, reject) => {
    call((error, result) => {
      if (error) reject(error);
      else resolve(result as Result);
    });
  });

/** The rows of one statement, from an existing file; neither creates nor changes anything. */
export async function readSqliteFile(path: string, sql: string): Promise<unknown[]> {
  const database = await openDatabase(path, sqlite3.OPEN_READONLY);
  try {
    return await settled<unknown[]>((done) => database.all(sql, done));
  } finally {
    database.close();
  }
}

export interface Statement {
  readonly sql: string;
  readonly parameters: readonly unknown[];
  /** Changes neither the database nor the connection. */
  readonly reads: boolean;
  /** Takes long, so that other reads must not wait for it: its SQL says `READS_MUCH`. */
  readonly readsMuch: boolean;
  readonly changesRows: boolean;
  /** Changes rows without RETURNING: its outcome is counts, not rows. */
  readonly counts: boolean;
  readonly inserts: boolean;
  readonly control: 'transaction' | 'savepoint' | undefined;
  /** Likely to run again, so the connection keeps it prepared. */
  readonly repeats: boolean;
}

/** In the text of a read that may take long. */
export const READS_MUCH = '/* reads much */';

/** A parameter that is bound to the time when the statement runs, in epoch milliseconds. */
export const NOW = Symbol('now');

/** Statements that take effect together, or only the first one when it changes no row. */
export type Change = readonly [Statement, ...Statement[]];

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
    readsMuch: sql.includes(READS_MUCH),
    changesRows: CHANGING.test(verb),
    counts: CHANGING.test(verb) && !/\bRETURNING\b/.test(bare),
    inserts: verb === 'INSERT' || verb === 'REPLACE',
    control: controlOf(verb, bare),
    repeats: REPEATING.test(verb),
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

const MAX_KEPT = 200;

/** A connection with a write-ahead log, commits flushed to disk and foreign keys; its statements run one by one. */
export class SqliteConnection {
  /**
   * Prepared statements by their text, the latest ones; SQLite prepares one again after a change of the schema. A
   * refresh takes 1,406 µs of the server's CPU with them and 2,344 without, `GET me` 274 and 315.
   */
  private readonly kept = new LRUCache<string, Promise<sqlite3.Statement>>({
    max: MAX_KEPT,
    dispose: (statement) => void finalize(statement),
  });

  private constructor(private readonly database: sqlite3.Database) {}

  /** `busyTimeoutMs` is how long a statement waits for another process. */
  static async open(file: string, busyTimeoutMs: number): Promise<SqliteConnection> {
    const connection = new SqliteConnection(await openDatabase(file));
    try {
      await connection.pragma(`busy_timeout = ${busyTimeoutMs}`);
      await connection.useWriteAheadLog(Date.now() + busyTimeoutMs);
      await connection.pragma('synchronous = FULL');
      await connection.pragma('foreign_keys = ON');
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  async execute(statement: Statement): Promise<Outcome> {
    const prepared = statement.repeats ? this.keep(statement.sql) : this.prepare(statement.sql);
    const { parameters, counts } = statement;
    const bound = parameters.map((value) => (value === NOW ? Date.now() : value));
    const outcome = run(await prepared, bound, counts);
    return statement.repeats ? outcome : outcome.finally(() => finalize(prepared));
  }

  pragma(assignment: string): Promise<Outcome> {
    return this.execute(parseStatement(`PRAGMA ${assignment}`));
  }

  async close(): Promise<void> {
    const kept = [...this.kept.values()];
    this.kept.clear();
    await Promise.all(kept.map(finalize));
    return settled((done) => this.database.close(done));
  }

  private keep(sql: string): Promise<sqlite3.Statement> {
    const kept = this.kept.get(sql);
    if (kept) return kept;
    const prepared = this.prepare(sql);
    this.kept.set(sql, prepared);
    prepared.catch(() => this.kept.delete(sql));
    return prepared;
  }

  private prepare(sql: string): Promise<sqlite3.Statement> {
    return new Promise((resolve, reject) => {
      const statement = this.database.prepare(sql, (error: Error | null) => {
        if (error) reject(error);
        else resolve(statement);
      });
    });
  }

  /** SQLite refuses this at once while another connection opens the file, despite the busy timeout. */
  private async useWriteAheadLog(deadline: number): Promise<void> {
    try {
      const { rows } = await this.pragma('journal_mode = WAL');
      if (JSON.stringify(rows).includes('"wal"')) return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
      await sleep(5 + Math.random() * 20);
      return this.useWriteAheadLog(deadline);
    }
    throw new Error('SQLite cannot keep a write-ahead log where the database file is');
  }
}

/** Runs after pending executions of the statement; a second call does nothing. */
async function finalize(prepared: Promise<sqlite3.Statement>): Promise<void> {
  const statement = await prepared.catch(() => undefined);
  if (statement) await new Promise<void>((resolve) => void statement.finalize(() => resolve()));
}

async function run(
  statement: sqlite3.Statement,
  parameters: readonly unknown[],
  counts: boolean,
): Promise<Outcome> {
  if (!counts) {
    return { rows: await settled<unknown[]>((done) => statement.all(parameters, done)) };
  }
  return new Promise((resolve, reject) => {
    statement.run(parameters, function settle(error) {
      if (error) reject(error);
      else resolve({ lastId: this.lastID, changes: this.changes });
    });
  });
}

const READ_AND_WRITE = sqlite3.OPEN_READWRITE | sqlite3.OPEN_CREATE | sqlite3.OPEN_FULLMUTEX;

/**
 * Without `serialize()`: the module would then prepare a statement only while no other one runs, and kept ones, which
 * do not wait for each other, may run without a pause. What has to be in order is awaited.
 */
function openDatabase(file: string, mode = READ_AND_WRITE): Promise<sqlite3.Database> {
  return new Promise((resolve, reject) => {
    const database = new sqlite3.Database(file, mode, (error) => {
      if (error) reject(error);
      else resolve(database);
    });
  });
}
