import { hash } from 'node:crypto';
import type { DataSource, EntityManager } from 'typeorm';
import { databaseNow } from './database-clock.sql.js';
import { runNamed } from './postgres/postgres.named.js';
import { inSpan, type SpanDescription } from '#libs/trace';
import { namedSqlSpan } from './sql-span.js';
import { runSql, type SqlResult } from './structured-query.sql.js';

/** What the databases say differently. */
export interface Dialect {
  readonly type: 'postgres' | 'sqlite';
  /** Epoch milliseconds by the database's clock. */
  readonly now: string;
  /** Behind a SELECT: whoever changes its rows waits for the end of the transaction. */
  readonly forShare: string;
  /** The same, and whoever selects them in this way. */
  readonly forUpdate: string;
}

export type Sql = string | ((dialect: Dialect) => string);

type DatabaseType = DataSource['options']['type'];

const ON_POSTGRES = {
  type: 'postgres',
  forShare: 'FOR SHARE',
  forUpdate: 'FOR NO KEY UPDATE',
} as const;
/** Who writes has the database for himself there. */
const ON_SQLITE = { type: 'sqlite', forShare: '', forUpdate: '' } as const;

const statements = new Map<string, PreparedStatement>();

/** All there are for a database, for who checks them. */
export const preparedStatementsFor = ({ options }: DataSource): readonly PreparedStatement[] =>
  [...statements.values()].filter(({ only }) => only === undefined || only === options.type);

/**
 * A statement that every connection prepares once, instead of parsing and planning it each time: for what
 * most requests ask. It is made when the file is loaded that it stands in, beside the entity that it reads;
 * `only` is set where it is for one kind of database. Placeholders are `$1`, `$2`, …, in any order. On
 * Postgres `bigint` comes as text. Throws for a name that is taken: Postgres knows it by that.
 */
export class PreparedStatement {
  private readonly prepared = new WeakMap<DataSource, Prepared>();

  constructor(
    readonly name: string,
    private readonly sql: Sql,
    readonly only?: DatabaseType,
  ) {
    if (statements.has(name)) throw new Error(`there are two statements of the name ${name}`);
    statements.set(name, this);
  }

  /** Runs it, inside a transaction on its manager. Parameters beyond its placeholders are left out. */
  async run(on: DataSource | EntityManager, parameters: readonly unknown[]): Promise<SqlResult> {
    const dataSource = 'connection' in on ? on.connection : on;
    const { text, values } = this.bind(dataSource, parameters);
    const { name, span } = this.preparedFor(dataSource);
    return inSpan(
      () => span,
      () =>
        dataSource.options.type === 'postgres'
          ? runNamed(on, { name, text, values })
          : runSql(on, text, values),
    );
  }

  /** What the database of that data source gets. */
  bind(dataSource: DataSource, parameters: readonly unknown[]) {
    const { text, count } = this.preparedFor(dataSource);
    return { text, values: parameters.slice(0, count) };
  }

  /** As the database of that data source gets it. */
  textFor(dataSource: DataSource): string {
    return this.preparedFor(dataSource).text;
  }

  private preparedFor(dataSource: DataSource): Prepared {
    const known = this.prepared.get(dataSource);
    if (known !== undefined) return known;
    const prepared = prepare(this.name, this.sql, dataSource);
    this.prepared.set(dataSource, prepared);
    return prepared;
  }
}

interface Prepared {
  /** With a part that only this text has: where a pooler shares connections, another version prepared on them too. */
  readonly name: string;
  readonly text: string;
  /** The highest number of a placeholder. */
  readonly count: number;
  readonly span: SpanDescription;
}

function prepare(name: string, sql: Sql, dataSource: DataSource): Prepared {
  const isPostgres = dataSource.options.type === 'postgres';
  const dialect = isPostgres ? ON_POSTGRES : ON_SQLITE;
  const text = sqlFor(sql, { now: databaseNow(dataSource), ...dialect });
  const numbers = [...text.matchAll(PLACEHOLDER)].map(([, n]) => Number(n));
  // SQLite counts `$1` and `$2` in the order they appear, and goes by the number in `?1` and `?2`. Next to
  // `:now` they are bound by name.
  const isNamed = isPostgres || text.includes(':now');
  const written = isNamed ? text : text.replaceAll(PLACEHOLDER, '?$1');
  return {
    name: `${name} ${hash('sha256', written).slice(0, DIGEST_CHARACTERS)}`,
    text: written,
    count: Math.max(0, ...numbers),
    span: namedSqlSpan(dialect.type, name, written),
  };
}

export const sqlFor = (sql: Sql, dialect: Dialect) =>
  typeof sql === 'string' ? sql : sql(dialect);

const DIGEST_CHARACTERS = 8;

const PLACEHOLDER = /\$(\d+)/g;
