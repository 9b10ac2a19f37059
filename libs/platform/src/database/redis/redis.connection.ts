import { setTimeout as sleep } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import type { Redis, RedisOptions } from 'ioredis';
import { OutageLog } from '../outage-log.js';
import { parseSentinelUrl, placeOf } from './redis-url.js';
import { RedisClient } from './redis.client.js';
import { keepHeartbeat } from './redis.heartbeat.js';
import { sentinelFailure } from './sentinel-failure.js';

/** A command is answered or fails within a third of a second; ioredis would wait without a limit. */
export const FAIL_FAST: RedisOptions = {
  enableOfflineQueue: false,
  maxRetriesPerRequest: 0,
  autoResendUnfulfilledCommands: false,
  commandTimeout: 300,
  connectTimeout: 500,
  sentinelCommandTimeout: 500,
  disconnectTimeout: 100,
  retryStrategy: (times) => Math.min(times * 50, 1_000),
};

/** The address of Redis, and the prefix of our keys and channels. */
export interface RedisLocation {
  /** `redis://…` or `rediss://…`, or through Sentinels `redis+sentinel://…` or `rediss+sentinel://…` */
  readonly url: string;
  /** ioredis prepends it to every key; adapters prepend it to channels, and to keys that only their scripts build. */
  readonly keyPrefix?: string | undefined;
}

/** A client of that class. With Sentinels it asks them for the address before each connection. */
export function redisAt(
  { url, keyPrefix = '' }: RedisLocation,
  Client: typeof Redis,
  options: RedisOptions,
): Redis {
  const sentinels = parseSentinelUrl(url);
  return sentinels
    ? new Client({ ...sentinels, ...options, keyPrefix })
    : new Client(url, { ...options, keyPrefix });
}

/**
 * Opens the connection for commands. Waits at most `waitMs` for Redis: without Redis the service starts all the
 * same, commands fail as an outage, and the client connects once Redis is available.
 */
export async function openRedis(location: RedisLocation, waitMs: number): Promise<Redis> {
  const redis = redisAt(location, RedisClient, { ...FAIL_FAST, connectionName: 'gatehouse' });
  const logger = new Logger('Redis');
  const host = `Redis at ${placeOf(location.url)}`;
  logOutages(redis, host, logger);
  keepHeartbeat(redis);
  if (!(await isReadyWithin(redis, waitMs)))
    logger.warn(`${host} is not there: starting without it`);
  return redis;
}

/** Closes the connection with QUIT, or disconnects when Redis does not answer. */
export async function closeRedis(redis: Redis): Promise<void> {
  await redis.quit().catch(() => redis.disconnect());
}

/** Logs only messages: ioredis' errors may contain a password, their messages do not. */
function logOutages(redis: Redis, host: string, logger: Logger) {
  const outage = new OutageLog(logger);
  redis.on('error', ({ message, code }: NodeJS.ErrnoException) =>
    outage.begin(`${host} is out of service: ${(sentinelFailure(message) ?? message) || code}`),
  );
  redis.on('ready', () => outage.end(`${host} is back in service`));
}

async function isReadyWithin(redis: Redis, waitMs: number): Promise<boolean> {
  const waiting = new AbortController();
  const ready = new Promise<boolean>((resolve) => {
    redis.once('ready', () => resolve(true));
  });
  try {
    return await Promise.race([ready, sleep(waitMs, false, { signal: waiting.signal })]);
  } finally {
    waiting.abort();
  }
}
