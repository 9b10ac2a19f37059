import type { DataSource, EntityManager } from 'typeorm';
import { inSpan, type SpanDescription } from '../trace.js';
import { namedSqlSpan, nameText } from './statement-listeners.js';
import type { PooledSqliteQueryRunner } from './sqlite/sqlite.data-source.js';

export interface Dialect {
  readonly type: 'postgres' | 'sqlite';
  /** Epoch milliseconds by the database's clock, which all replicas share. */
  readonly now: string;
  /** After a SELECT: a transaction that changes its rows waits for the end of this one. */
  readonly forShare: string;
  /** As `forShare`; transactions that select the rows with `forUpdate` wait too. */
  readonly forUpdate: string;
}

/** SQL of a change that contains `decided` among its conditions. */
export type DependentSql = (dialect: Dialect & { readonly decided: string }) => string;

/** Several texts, only on SQLite, take effect together, or not at all when the first changes no row. */
type Texts = string | readonly [string, ...string[]];

type Sql = Texts | ((dialect: Dialect) => Texts);

/** The number of rows that a statement changed (on Postgres also that a SELECT found), and the rows it returned. */
interface SqlResult {
  readonly affected: number;
  readonly rows: Record<string, unknown>[];
}

/** A text as it is sent to the database, and its highest placeholder number. */
interface Text {
  readonly text: string;
  readonly count: number;
}

interface Prepared {
  readonly texts: readonly [Text, ...Text[]];
  readonly span: SpanDescription;
}

const DIALECTS = {
  postgres: {
    type: 'postgres',
    now: 'CAST(EXTRACT(EPOCH FROM clock_timestamp()) * 1000 AS bigint)',
    forShare: 'FOR SHARE',
    forUpdate: 'FOR NO KEY UPDATE',
  },
  // A writer has the database to itself on SQLite. SQLite runs in this process and has no other clock:
  // `SqliteConnection` binds `:now` to the time when the statement runs.
  sqlite: { type: 'sqlite', now: ':now', forShare: '', forUpdate: '' },
} as const;

export type SqlTarget = DataSource | EntityManager;

export const dataSourceOf = (on: SqlTarget): DataSource =>
  'connection' in on ? on.connection : on;

const PLACEHOLDER = /\$(\d+)/g;

const statements = new Map<string, PreparedStatement>();

/** All statements, for the spec that checks them against the schema. */
export const preparedStatements = (): readonly PreparedStatement[] => [...statements.values()];

/**
 * SQL of our own: for statements of most requests, and for SQL that TypeORM cannot express, such as `ON CONFLICT`
 * or a lock. Everything else uses TypeORM's manager and query builder, which build the SQL on each call and send it
 * without a name: a third of a hot request.
 *
 * A Postgres connection prepares the text once, under the name and a hash of the text. Create statements at the top
 * level of a file. Placeholders are `$1`, `$2`, …, in any order. Postgres returns a `bigint` as text.
 */
export class PreparedStatement {
  private readonly prepared: Partial<Record<Dialect['type'], Prepared>> = {};

  /** Throws when the name is already in use. */
  constructor(
    readonly name: string,
    private readonly sql: Sql,
  ) {
    if (statements.has(name)) throw new Error(`there are two statements of the name ${name}`);
    statements.set(name, this);
  }

  /** Runs the statement; inside a transaction, pass its manager. Values beyond the placeholders are ignored. */
  run(on: SqlTarget, values: readonly unknown[]): Promise<SqlResult> {
    const { span, texts } = this.preparedFor(on);
    return inSpan(
      () => span,
      () => runOn(on, texts, values),
    );
  }

  textsFor(on: SqlTarget): readonly string[] {
    return this.preparedFor(on).texts.map(({ text }) => text);
  }

  private preparedFor(on: SqlTarget): Prepared {
    const type = dataSourceOf(on).options.type === 'postgres' ? 'postgres' : 'sqlite';
    return (this.prepared[type] ??= prepare(this.name, this.sql, DIALECTS[type]));
  }
}

function prepare(name: string, sql: Sql, dialect: Dialect): Prepared {
  const written = typeof sql === 'function' ? sql(dialect) : sql;
  const [first, ...others] = typeof written === 'string' ? ([written] as const) : written;
  const texts = [toText(first, dialect), ...others.map((other) => toText(other, dialect))] as const;
  if (dialect.type === 'postgres') nameText(first, name);
  const all = texts.map(({ text }) => text).join(';\n');
  return { texts, span: namedSqlSpan(dialect.type, name, all) };
}

function toText(sql: string, { type }: Dialect): Text {
  const count = Math.max(0, ...[...sql.matchAll(PLACEHOLDER)].map(([, n]) => Number(n)));
  // SQLite numbers `$1` and `$2` in order of appearance, but `?1` and `?2` by their number. Next to `:now` they are
  // bound by name.
  const isNamed = type === 'postgres' || sql.includes(':now');
  return { text: isNamed ? sql : sql.replaceAll(PLACEHOLDER, '?$1'), count };
}

async function runOn(
  on: SqlTarget,
  [first, ...others]: Prepared['texts'],
  values: readonly unknown[],
): Promise<SqlResult> {
  const own = 'queryRunner' in on ? on.queryRunner : undefined;
  const runner = own ?? dataSourceOf(on).driver.createQueryRunner('master');
  const bind = ({ text, count }: Text) => [text, values.slice(0, count)] as const;
  try {
    const { affected = 0, records } =
      others.length === 0
        ? await runner.query(...bind(first), true)
        : await (runner as PooledSqliteQueryRunner).queryAll([bind(first), ...others.map(bind)]);
    return { affected, rows: records };
  } finally {
    if (!own) await runner.release();
  }
}

/**
 * SQL of changes that take effect together, or not at all when the first one, an UPDATE, INSERT or DELETE without
 * RETURNING, changes no row: `affected` is then 0. No two may change the same row, and none may depend on what
 * another one changed. They share the placeholders.
 *
 * On Postgres they are one statement, so one round trip: a refresh takes 1,627 µs of the server's CPU and 913 of
 * the stores', and 2,411 and 1,566 in a transaction of its parts. On SQLite they are one transaction, which they
 * share with other waiting changes.
 */
export const changesOf =
  (first: string | ((dialect: Dialect) => string), ...others: readonly DependentSql[]) =>
  (dialect: Dialect): Texts => {
    const deciding = typeof first === 'string' ? first : first(dialect);
    if (dialect.type === 'sqlite') {
      return [deciding, ...others.map((change) => change({ ...dialect, decided: 'TRUE' }))];
    }
    const decided = 'EXISTS (SELECT 1 FROM decided)';
    const rest = others.map((change, n) => `other_${n} AS (${change({ ...dialect, decided })})`);
    return `WITH ${[`decided AS (${deciding} RETURNING 1)`, ...rest].join(',\n')} SELECT 1 FROM decided`;
  };

const READ_CLOCK = new PreparedStatement('database-clock', ({ now }) => `SELECT ${now} AS now`);

/** Epoch milliseconds by the database's clock. */
export async function readDatabaseClock(dataSource: DataSource): Promise<number> {
  const { rows } = await READ_CLOCK.run(dataSource, []);
  return Number(rows[0]?.['now']);
}
