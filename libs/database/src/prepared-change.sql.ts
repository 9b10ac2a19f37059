import type { DataSource, EntityManager } from 'typeorm';
import { inSpan } from '#libs/trace';
import { namedSqlSpan } from './sql-span.js';
import { runChange } from './sqlite/sqlite.change.js';
import { type Dialect, PreparedStatement, type Sql, sqlFor } from './prepared-statement.sql.js';

/** SQL of a change that has `decided` among its conditions. */
export type DependentSql = (dialect: Dialect & { readonly decided: string }) => string;

interface Changes {
  /** An UPDATE, INSERT or DELETE without RETURNING; whether it changes a row decides. */
  readonly first: Sql;
  readonly others: readonly DependentSql[];
}

/**
 * Changes that take effect together, or not at all where the first one changes no row. On Postgres they are
 * one statement, so one round trip, on SQLite one transaction, whose flush they share with others that wait.
 * No two may change the same row, and none may count on what another one changed. They share the
 * placeholders; the rest is as with a PreparedStatement.
 */
export class PreparedChange {
  private readonly whole: PreparedStatement;
  private readonly parts: readonly [PreparedStatement, ...PreparedStatement[]];

  constructor(name: string, { first, others }: Changes) {
    const all = (dialect: Dialect) => inOne(sqlFor(first, dialect), others, dialect);
    this.whole = new PreparedStatement(name, all, 'postgres');
    const part = (sql: Sql, n: number) => new PreparedStatement(`${name} ${n}`, sql, 'sqlite');
    this.parts = [part(first, 1), ...others.map((other, n) => part(alone(other), n + 2))];
  }

  /** False when the first one changed nothing. Inside a transaction give its manager. */
  async run(on: DataSource | EntityManager, parameters: readonly unknown[]): Promise<boolean> {
    const dataSource = 'connection' in on ? on.connection : on;
    if (dataSource.options.type === 'postgres') {
      return (await this.whole.run(on, parameters)).rows.length === 1;
    }
    if ('queryRunner' in on && on.queryRunner) return this.runParts(on, parameters);
    return this.runTogether(dataSource, parameters);
  }

  /**
   * As `run`, and nothing is changed by a process that dies before it hears of it: a statement by itself is
   * carried out on Postgres whoever still waits for it.
   */
  async runHeard(dataSource: DataSource, parameters: readonly unknown[]): Promise<boolean> {
    if (dataSource.options.type !== 'postgres') return this.run(dataSource, parameters);
    return dataSource.transaction((manager) => this.run(manager, parameters));
  }

  private runTogether(dataSource: DataSource, parameters: readonly unknown[]) {
    const [first, ...others] = this.parts;
    const bind = (part: PreparedStatement) => part.bind(dataSource, parameters);
    const change = [bind(first), ...others.map(bind)] as const;
    const textOf = () => change.map(({ text }) => text).join(';\n');
    return inSpan(
      () => namedSqlSpan('sqlite', this.whole.name, textOf()),
      () => runChange(dataSource, change),
    );
  }

  private async runParts(manager: EntityManager, parameters: readonly unknown[]) {
    for (const [n, part] of this.parts.entries()) {
      const { affected } = await part.run(manager, parameters);
      if (n === 0 && affected === 0) return false;
    }
    return true;
  }
}

const alone =
  (change: DependentSql): Sql =>
  (dialect) =>
    change({ ...dialect, decided: 'TRUE' });

function inOne(first: string, others: readonly DependentSql[], dialect: Dialect): string {
  const decided = 'EXISTS (SELECT 1 FROM decided)';
  const changes = others.map((change, n) => `other_${n} AS (${change({ ...dialect, decided })})`);
  const all = [`decided AS (${first} RETURNING 1)`, ...changes];
  return `WITH ${all.join(',\n')} SELECT 1 FROM decided`;
}
