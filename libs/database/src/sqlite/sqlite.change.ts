import { type DataSource, QueryFailedError } from 'typeorm';
import type { PooledSqliteDriver } from './sqlite.driver.js';
import { heard } from '../statement-listeners.js';
import { parseStatement } from './statement.js';

interface Prepared {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * Statements that take effect together, or none where the first one changes no row, which is then false.
 * Throws QueryFailedError.
 */
export async function runChange(
  dataSource: DataSource,
  [first, ...others]: readonly [Prepared, ...Prepared[]],
): Promise<boolean> {
  for (const { text, values } of [first, ...others]) dataSource.logger.logQuery(text, [...values]);
  const driver = dataSource.driver as PooledSqliteDriver;
  try {
    const { changes } = await heard(dataSource, () =>
      driver.change([toStatement(first), ...others.map(toStatement)]),
    );
    return changes !== 0;
  } catch (error) {
    throw new QueryFailedError(first.text, [...first.values], error as Error);
  }
}

const toStatement = ({ text, values }: Prepared) => parseStatement(text, values);
