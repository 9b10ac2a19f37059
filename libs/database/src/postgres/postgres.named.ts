import { Logger } from '@nestjs/common';
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
import { heard } from '../statement-listeners.js';
import type { SqlResult } from '../structured-query.sql.js';
import { isStatementLost } from './lost-statement.js';
import { isPlanOutdated } from './outdated-plan.js';

type NamedQuery = Required<Pick<QueryConfig<unknown[]>, 'name' | 'text' | 'values'>>;

/** Those whose connections turned out to be shared: no name is of use there. */
const nameless = new WeakSet<DataSource>();

/**
 * Runs a statement that the connection prepares under its name when it first comes, and then only binds:
 * TypeORM sends no names. Behind a pooler `limitSession` takes the name away; behind one that it does not recognise
 * the first statement that is lost does. Throws QueryFailedError.
 */
export async function runNamed(
  on: DataSource | EntityManager,
  query: NamedQuery,
): Promise<SqlResult> {
  const inTransaction = 'queryRunner' in on ? on.queryRunner : undefined;
  const dataSource = 'connection' in on ? on.connection : on;
  dataSource.logger.logQuery(query.text, query.values, inTransaction);
  try {
    const { rowCount, rows } = await heard(dataSource, async () =>
      inTransaction
        ? (await clientOf(inTransaction)).query(sendable(dataSource, query))
        : queryOn(dataSource, query),
    );
    return { affected: rowCount ?? 0, rows };
  } catch (error) {
    if (isStatementLost(error)) doWithoutNames(dataSource);
    throw new QueryFailedError(query.text, query.values, error as Error);
  }
}

/** A released runner still has its connection, which by then is somebody else's. */
async function clientOf(runner: QueryRunner): Promise<ClientBase> {
  if (runner.isReleased) throw new QueryRunnerAlreadyReleasedError();
  return runner.connect();
}

/** Other connections may know the statement as it was as well, so that it has no name the second time. */
async function queryOn(dataSource: DataSource, query: NamedQuery): Promise<QueryResult> {
  const pool = poolOf(dataSource);
  try {
    return await pool.query(sendable(dataSource, query));
  } catch (error) {
    if (isStatementLost(error)) doWithoutNames(dataSource);
    else if (!isPlanOutdated(error)) throw error;
    return pool.query(unnamed(query));
  }
}

const sendable = (dataSource: DataSource, query: NamedQuery) =>
  nameless.has(dataSource) ? unnamed(query) : query;

const unnamed = ({ text, values }: NamedQuery) => ({ text, values });

function doWithoutNames(dataSource: DataSource) {
  if (nameless.has(dataSource)) return;
  nameless.add(dataSource);
  new Logger('Postgres').warn(
    'prepared statements get lost: what stands in front of Postgres shares its connections, as a pooler in transaction mode does; from now on statements have no names, which costs some speed',
  );
}

/** Its own `query` closes a connection that died, or that gave an error, instead of keeping it. */
function poolOf({ driver }: DataSource): Pool {
  const { master }: { master: Pool | undefined } = driver as PostgresDriver;
  if (!master) throw new ConnectionIsNotSetError('postgres');
  return master;
}
