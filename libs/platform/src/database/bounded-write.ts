import type { DataSource, EntityManager } from 'typeorm';

/**
 * A single write, which a client can repeat as fast as it likes. On Postgres it is a transaction, since these leave
 * connections to others and those of one account run one after the other; SQLite shares the commits of single writes.
 */
export const boundedWrite = <T>(
  dataSource: DataSource,
  write: (manager: EntityManager) => Promise<T>,
): Promise<T> =>
  dataSource.options.type === 'postgres'
    ? dataSource.transaction(write)
    : write(dataSource.manager);
