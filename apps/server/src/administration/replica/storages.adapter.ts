import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { poolOf, readPool } from '../../observability/metrics/storage-metrics.service.js';

/** State of the Postgres pool; SQLite has no pool. */
export function databaseNow(dataSource: DataSource) {
  const { type } = dataSource.options;
  if (type !== 'postgres') return { type, connections: null };
  const pool = poolOf(dataSource);
  return { type, connections: { ...readPool(pool), most: pool.options.max } };
}

/** State of the command connection, and its number of unanswered commands. */
export function redisNow(redis: Redis | undefined) {
  if (!redis) return null;
  const { commandQueue } = redis as unknown as { commandQueue: { readonly length: number } };
  return { status: redis.status, unanswered: commandQueue.length };
}
