import type { Redis } from 'ioredis';
import type { DataSource } from 'typeorm';
import { poolOf, readPool } from '../../observability/metrics/storage-metrics.service.js';

/** The pool of Postgres; SQLite has none. */
export function databaseNow(dataSource: DataSource) {
  const { type } = dataSource.options;
  if (type !== 'postgres') return { type, connections: null };
  const pool = poolOf(dataSource);
  return { type, connections: { ...readPool(pool), most: pool.options.max } };
}

/** The connection for commands, and how many of them wait for an answer. */
export function redisNow(redis: Redis | undefined) {
  if (!redis) return null;
  const { commandQueue } = redis as unknown as { commandQueue: { readonly length: number } };
  return { status: redis.status, unanswered: commandQueue.length };
}
