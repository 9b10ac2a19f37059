import type { ClientBase, Pool, QueryConfig, QueryResult } from 'pg';
import {
  ConnectionIsNotSetError,
  type DataSource,
  type EntityManager,
  QueryFailedError,
  type QueryRunner,
  QueryRunnerAlreadyReleasedError,
} from 'typeorm';
import type { PostgresDriver } from 'typeorm/driver/postgres/PostgresDriver.js';
import type { SqlResult } from '../structured-query.sql.js';
import { isPlanOutdated } from './outdated-plan.js';

type NamedQuery = Required<Pick<QueryConfig<unknown[]>, 'name' | 'text' | 'values'>>;

/**
 * Runs a statement that the connection prepares under its name when it first comes, and then only binds:
 * TypeORM sends no names. Behind a pooler `limitSession` takes the name away. Throws QueryFailedError.
 */
export async function runNamed(
  on: DataSource | EntityManager,
  query: NamedQuery,
): Promise<SqlResult> {
  const inTransaction = 'queryRunner' in on ? on.queryRunner : undefined;
  const dataSource = 'connection' in on ? on.connection : on;
  dataSource.logger.logQuery(query.text, query.values, inTransaction);
  try {
    const { rowCount, rows } = await (inTransaction
      ? (await clientOf(inTransaction)).query(query)
      : queryOn(poolOf(dataSource), query));
    return { affected: rowCount ?? 0, rows };
  } catch (error) {
    throw new QueryFailedError(query.text, query.values, error as Error);
  }
}

/** A released runner still has its connection, which by then is somebody else's. */
async function clientOf(runner: QueryRunner): Promise<ClientBase> {
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  return runner.connect();
}

/** Other connections may know the statement as it was as well, so that it has no name the second time. */
async function queryOn(pool: Pool, query: NamedQuery): Promise<QueryResult> {
  try {
    return await pool.query(query);
  } catch (error) {
    if (!isPlanOutdated(error)) throw error;
    return pool.query({ text: query.text, values: query.values });
  }
}

/** Its own `query` closes a connection that died, or that gave an error, instead of keeping it. */
function poolOf({ driver }: DataSource): Pool {
  const { master }: { master: Pool | undefined } = driver as PostgresDriver;
  if (!master) throw new ConnectionIsNotSetError('postgres');
  return master;
}
