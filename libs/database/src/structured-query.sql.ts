import type { DataSource, EntityManager, QueryResult } from 'typeorm';

/** What a statement gave: how many rows it changed, and the rows that it returned. */
export interface SqlResult {
  readonly affected: number;
  readonly rows: Record<string, unknown>[];
}

/**
 * Runs one statement and tells what it changed, the same way on every database. Placeholders are
 * `$1`, `$2`, …; inside a transaction give its manager.
 */
export async function runSql(
  on: DataSource | EntityManager,
  sql: string,
  parameters: unknown[],
): Promise<SqlResult> {
  const inTransaction = 'queryRunner' in on ? on.queryRunner : undefined;
  const runner = inTransaction ?? ('connection' in on ? on.connection : on).createQueryRunner();
  try {
    const result: QueryResult = await runner.query(sql, parameters, true);
    return { affected: result.affected ?? 0, rows: result.records };
  } finally {
    if (!inTransaction) await runner.release();
  }
}
