import type { DataSource, EntityManager } from 'typeorm';
import { type SpanDescription, inSpan } from '../trace/trace.js';
import { nameText } from './postgres/statement-names.js';
import { namedSqlSpan } from './sql-span.js';
import type { PooledSqliteQueryRunner } from './sqlite/sqlite.query-runner.js';

/** What the databases say differently. */
export interface Dialect {
  readonly type: 'postgres' | 'sqlite';
  /** Epoch milliseconds by the database's clock, the one that all replicas share. */
  readonly now: string;
  /** Behind a SELECT: those who change its rows wait for the end of the transaction. */
  readonly forShare: string;
  /** The same, and those who select them in this way. */
  readonly forUpdate: string;
}

/** SQL of a change that has `decided` among its conditions. */
export type DependentSql = (dialect: Dialect & { readonly decided: string }) => string;

/** Several, on SQLite alone, take effect together, or none where the first one changes no row. */
type Texts = string | readonly [string, ...string[]];

type Sql = Texts | ((dialect: Dialect) => Texts);

/** How many rows a statement changed (or a SELECT found, on Postgres), and the rows that it returned. */
export interface SqlResult {
  readonly affected: number;
  readonly rows: Record<string, unknown>[];
}

/** As the database gets it, and the highest number of a placeholder. */
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
  // A writer has the database for itself there. It runs in this process and has no other clock: `SqliteConnection`
  // binds `:now` to the time when the statement runs.
  sqlite: { type: 'sqlite', now: ':now', forShare: '', forUpdate: '' },
} as const;

const PLACEHOLDER = /\$(\d+)/g;

const statements = new Map<string, PreparedStatement>();

/** All that were made, for the spec that checks them against the schema. */
export const preparedStatements = (): readonly PreparedStatement[] => [...statements.values()];

/**
 * SQL of our own: for what most requests ask, and for what TypeORM has no words for, such as `ON CONFLICT` or a
 * lock. Everything else is asked through TypeORM's manager and query builder, which write the SQL anew each time
 * and send it without a name: a third of a hot request.
 *
 * A connection of Postgres prepares it once, under its name and a hash of its text. It is made when the file is
 * loaded that it stands in. Placeholders are `$1`, `$2`, …, in any order. On Postgres `bigint` comes as text.
 */
export class PreparedStatement {
  private readonly prepared: Partial<Record<Dialect['type'], Prepared>> = {};

  /** Throws for a name that is taken. */
  constructor(
    readonly name: string,
    private readonly sql: Sql,
  ) {
    if (statements.has(name)) throw new Error(`there are two statements of the name ${name}`);
    statements.set(name, this);
  }

  /** Runs it, inside a transaction on its manager. Values beyond its placeholders are left out. */
  run(on: DataSource | EntityManager, values: readonly unknown[]): Promise<SqlResult> {
    const { span, texts } = this.preparedFor(on);
    return inSpan(
      () => span,
      () => runOn(on, texts, values),
    );
  }

  /** As the database gets it. */
  textsFor(on: DataSource | EntityManager): readonly string[] {
    return this.preparedFor(on).texts.map(({ text }) => text);
  }

  private preparedFor(on: DataSource | EntityManager): Prepared {
    const { options } = 'connection' in on ? on.connection : on;
    const type = options.type === 'postgres' ? 'postgres' : 'sqlite';
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
  // SQLite counts `$1` and `$2` in the order they appear, and goes by the number in `?1` and `?2`. Next to
  // `:now` they are bound by name.
  const isNamed = type === 'postgres' || sql.includes(':now');
  return { text: isNamed ? sql : sql.replaceAll(PLACEHOLDER, '?$1'), count };
}

async function runOn(
  on: DataSource | EntityManager,
  [first, ...others]: Prepared['texts'],
  values: readonly unknown[],
): Promise<SqlResult> {
  const own = 'queryRunner' in on ? on.queryRunner : undefined;
  const { driver } = 'connection' in on ? on.connection : on;
  const runner = own ?? driver.createQueryRunner('master');
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
 * SQL of changes that take effect together, or not at all where the first one, an UPDATE, INSERT or DELETE without
 * RETURNING, changes no row: `affected` is then 0. No two may change the same row, and none may count on what
 * another one changed. They share the placeholders.
 *
 * On Postgres they are one statement, so one round trip: a refresh takes 1,627 µs of the server's CPU and 913 of the
 * stores', and 2,411 and 1,566 in a transaction of its parts. On SQLite they are one transaction, which they share
 * with others that wait.
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
