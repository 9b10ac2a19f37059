import type { DataSource, EntityManager } from 'typeorm';
import { databaseNow } from './database-clock.sql.js';
import { runNamed } from './postgres/postgres.named.js';
import { runSql, type SqlResult } from './structured-query.sql.js';

/** What the databases say differently. */
export interface Dialect {
  /** Epoch milliseconds by the database's clock. */
  readonly now: string;
  /** Behind a SELECT: makes whoever changes its rows wait for the end of the transaction. */
  readonly locked: string;
}

const written = new Map<string, PreparedStatement>();

/** All there are, for who checks them. */
export const preparedStatements = (): readonly PreparedStatement[] => [...written.values()];

/**
 * A statement that every connection prepares once, instead of parsing and planning it each time: for what
 * most requests ask. It stands beside the entity that it reads, made when its file is loaded, and
 * test/storage/statements.e2e-spec.ts holds it against the schema and its indexes. Placeholders are `$1`,
 * `$2`, …, in any order. On Postgres `bigint` comes as text. Throws for a name that is taken.
 */
export class PreparedStatement {
  private readonly texts = new WeakMap<DataSource, string>();

  constructor(
    readonly name: string,
    private readonly write: string | ((dialect: Dialect) => string),
  ) {
    if (written.has(name)) throw new Error(`there are two statements of the name ${name}`);
    written.set(name, this);
  }

  /** Runs it, inside a transaction on its manager. */
  async run(on: DataSource | EntityManager, parameters: readonly unknown[]): Promise<SqlResult> {
    const dataSource = 'connection' in on ? on.connection : on;
    const text = this.textFor(dataSource);
    if (dataSource.options.type !== 'postgres') return runSql(on, text, [...parameters]);
    return runNamed(on, { name: this.name, text, values: [...parameters] });
  }

  /** As the database of that data source gets it. */
  textFor(dataSource: DataSource): string {
    const known = this.texts.get(dataSource);
    if (known !== undefined) return known;
    const text = this.writeFor(dataSource);
    this.texts.set(dataSource, text);
    return text;
  }

  private writeFor(dataSource: DataSource): string {
    const isPostgres = dataSource.options.type === 'postgres';
    const dialect = { now: databaseNow(dataSource), locked: isPostgres ? 'FOR SHARE' : '' };
    const sql = typeof this.write === 'string' ? this.write : this.write(dialect);
    // SQLite counts `$1` and `$2` in the order they appear, and goes by the number in `?1` and `?2`.
    return isPostgres ? sql : sql.replaceAll(/\$(\d+)/g, '?$1');
  }
}
