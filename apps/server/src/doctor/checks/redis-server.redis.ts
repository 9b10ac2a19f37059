import { Redis, type RedisOptions } from 'ioredis';
import { type RedisLocation, placeOf, redisAt } from '#libs/platform';
import { type Finding, ok } from '../finding.js';
import { clockFinding } from './clock.js';
import { parseRedisInfo, redisInfoFindings } from './redis-info.js';
import { redisProbeError } from './redis-probe-errors.js';
import { redisRights } from './redis-rights.js';
import { triedRights } from './redis-trial.redis.js';

const ONE_TRY: RedisOptions = {
  lazyConnect: true,
  connectionName: 'gatehouse-doctor',
  connectTimeout: 2_000,
  commandTimeout: 1_500,
  maxRetriesPerRequest: 0,
  enableOfflineQueue: false,
  enableReadyCheck: false,
  retryStrategy: () => null,
  sentinelRetryStrategy: () => null,
  sentinelCommandTimeout: 1_500,
};

/** Connects once, and tries the commands that the service uses. */
export async function* redisFindings(location: RedisLocation): AsyncIterable<Finding> {
  const host = placeOf(location.url);
  const rights = redisRights(location.keyPrefix ?? '');
  const redis = redisAt(location, Redis, ONE_TRY);
  let lastError: unknown;
  redis.on('error', (error) => (lastError = error));
  try {
    await redis.connect();
    const info = parseRedisInfo(await redis.info());
    yield ok(`Redis at ${host} lets the service in`);
    yield* redisInfoFindings(info);
    yield await readClock(redis);
    yield await triedRights(redis);
  } catch (error) {
    yield redisProbeError(host, lastError ?? error, rights);
  } finally {
    redis.disconnect();
  }
}

async function readClock(redis: Redis): Promise<Finding> {
  const asked = Date.now();
  const [seconds, microseconds] = await redis.time();
  const theirs = Number(seconds) * 1000 + Number(microseconds) / 1000;
  return clockFinding('Redis', { theirs, asked, answered: Date.now() });
}
