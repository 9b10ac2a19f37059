import { randomUUID } from 'node:crypto';
import { Redis, type RedisOptions } from 'ioredis';
import { placeOf, redisAt, type RedisLocation } from '#libs/database';
import { fail, type Finding, ok } from '../finding.js';
import { errorDetails } from '../network-errors.js';
import { clockFinding } from './clock.js';
import { parseRedisInfo, redisInfoFindings } from './redis-info.js';
import { redisProbeError } from './redis-probe-errors.js';
import { REDIS_CHANNEL_PREFIXES, REDIS_KEY_PREFIXES, redisRights } from './redis-rights.js';

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

const KEY_LIFETIME_MS = 1_000;

/** Leaves nothing behind: the key has a name that nobody else uses and is gone after a second. */
const TRY_KEY = `
redis.call('SET', KEYS[1], '1', 'PX', ARGV[1])
redis.call('INCRBY', KEYS[1], 1)
redis.call('PTTL', KEYS[1])
return redis.call('GETDEL', KEYS[1])`;

/** Connects once, and tries what the service does with Redis. */
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
    yield await scriptFinding(redis);
    yield await channelFinding(redis);
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

async function scriptFinding(redis: Redis): Promise<Finding> {
  const name = `doctor:${randomUUID()}`;
  try {
    for (const prefix of REDIS_KEY_PREFIXES) {
      await redis.eval(TRY_KEY, 1, `${prefix}:${name}`, KEY_LIFETIME_MS);
    }
    return ok('scripts run, and keys can be written');
  } catch (error) {
    return refusal('run scripts on its keys', error, redis.options);
  }
}

async function channelFinding(redis: Redis): Promise<Finding> {
  const { keyPrefix = '' } = redis.options;
  try {
    for (const prefix of REDIS_CHANNEL_PREFIXES) {
      await redis.publish(`${keyPrefix}${prefix}:doctor:${randomUUID()}`, '');
    }
    return ok('messages can be published');
  } catch (error) {
    return refusal('publish messages', error, redis.options);
  }
}

const refusal = (what: string, error: unknown, { keyPrefix = '' }: RedisOptions) =>
  fail(
    `Redis does not let the service ${what}: ${errorDetails(error).message}`,
    `give the user of REDIS_URL the rights: ACL SETUSER <user> ${redisRights(keyPrefix)}`,
  );
