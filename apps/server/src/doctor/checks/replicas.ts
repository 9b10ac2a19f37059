import type { Config } from '../../config/config.js';
import { type Finding, ok, warn } from '../finding.js';

/** How many processes the chosen storage is good for. */
export function* replicaFindings({
  database,
  redisUrl,
}: Pick<Config, 'database' | 'redisUrl'>): Iterable<Finding> {
  const isShared = database.type === 'postgres';
  const hasRedis = redisUrl !== undefined;
  if (isShared && hasRedis) yield ok('PostgreSQL and Redis: as many replicas as you like');
  if (!isShared && !hasRedis) yield ok('SQLite without Redis: one process, everything in one file');
  if (isShared && !hasRedis) {
    yield warn(
      'PostgreSQL without Redis is good for one replica only: a second one would not know its challenges, tabs and counters',
      'set REDIS_URL before you start another replica',
    );
  }
  if (!isShared && hasRedis) {
    yield warn(
      'SQLite with Redis: all processes have to be on the machine that holds the SQLite file',
      'use PostgreSQL for replicas on several machines, or unset REDIS_URL when there is one process',
    );
  }
}
