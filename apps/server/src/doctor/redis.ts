import { randomUUID } from 'node:crypto';
import { Redis } from 'ioredis';
import { FAIL_FAST, placeOf, redisAt, type RedisLocation } from '#libs/platform';
import { redisProblem } from '../storage-problems.js';
import { fail, type Finding, ok, warn } from './finding.js';

/** Connects once, and tries the commands that the service uses. */
export async function* redisFindings(location: RedisLocation): AsyncIterable<Finding> {
  const redis = redisAt(location, Redis, {
    ...FAIL_FAST,
    lazyConnect: true,
    connectionName: 'gatehouse-doctor',
    connectTimeout: 2_000,
    commandTimeout: 1_500,
    enableReadyCheck: false,
    retryStrategy: () => null,
    sentinelRetryStrategy: () => null,
    sentinelCommandTimeout: 1_500,
  });
  const host = placeOf(location.url);
  let lastError: unknown;
  redis.on('error', (error) => (lastError = error));
  try {
    await redis.connect();
    const info = parseRedisInfo(await redis.info());
    yield ok(`Redis at ${host} lets the service in`);
    yield* redisInfoFindings(info);
    yield await triedRights(redis);
  } catch (error) {
    const rights = redisRights(location.keyPrefix ?? '');
    const { text, remedy } = redisProblem(host, lastError ?? error, rights);
    yield fail(text, remedy);
  } finally {
    redis.disconnect();
  }
}

type RedisInfo = Readonly<Record<string, string | undefined>>;

const OLDEST_VERSION = 6.2;

export const parseRedisInfo = (text: string): RedisInfo =>
  Object.fromEntries(
    [...text.matchAll(/^([^#:\r\n]+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]),
  );

export function* redisInfoFindings(info: RedisInfo): Iterable<Finding> {
  const { redis_version: version = 'unknown', maxmemory_policy: policy = 'unknown' } = info;
  yield Number.parseFloat(version) >= OLDEST_VERSION
    ? ok(`version ${version}`)
    : fail(`version ${version}`, `use Redis ${OLDEST_VERSION} or later, for GETDEL`);
  if (info['cluster_enabled'] === '1') {
    const remedy = 'use a single Redis, with a replica for fail-over if you like';
    yield fail('it is a Redis Cluster', remedy);
  }
  if (info['role'] === 'slave') {
    yield fail('it is a replica: nothing can be written', 'let REDIS_URL name the primary');
  }
  yield policy === 'noeviction'
    ? ok('maxmemory-policy is noeviction')
    : warn(
        `maxmemory-policy is ${policy}: when memory runs out, Redis drops challenges and counters, so sign-ups fail and budgets and rate limits start again from zero`,
        'set maxmemory-policy noeviction',
      );
  if (info['aof_enabled'] !== '1') {
    yield warn(
      'the append-only file is off: when Redis ends, budgets start again from zero, and people who create an account or add a passkey begin again',
      'set appendonly yes',
    );
  } else if (info['aof_last_write_status'] === 'err') {
    yield fail('Redis could not write its append-only file', 'look at its disk and its log');
  } else yield ok('the append-only file is on');
}

/** The prefixes of the service's keys after REDIS_PREFIX, one for each lib that keeps any. */
const REDIS_KEY_PREFIXES = ['accounts', 'budget', 'code', 'oauth', 'passkeys', 'tabs'];

/** The prefixes of the service's channels after REDIS_PREFIX. */
const REDIS_CHANNEL_PREFIXES = ['oauth', 'tabs'];

const COMMANDS =
  '+@connection +@string +@hash +@set +@sortedset +@keyspace +eval +evalsha +publish +subscribe +unsubscribe +time -@dangerous +info';

/** The `ACL SETUSER` rules for the user of REDIS_URL with this REDIS_PREFIX: the least that the service needs. */
export function redisRights(redisPrefix: string): string {
  const keys = REDIS_KEY_PREFIXES.map((name) => `~${redisPrefix}${name}:*`).join(' ');
  const channels = REDIS_CHANNEL_PREFIXES.map((name) => `&${redisPrefix}${name}:*`).join(' ');
  return `resetkeys ${keys} resetchannels ${channels} -@all ${COMMANDS}`;
}

const KEY_LIFETIME_MS = 1_000;

/**
 * The commands that the service and its scripts send, with the arguments after the key. The key holds a text that
 * expires after a second, so that commands for other types fail with WRONGTYPE and leave nothing behind.
 */
export const REDIS_COMMANDS: Readonly<Record<string, readonly (string | number)[]>> = {
  get: [],
  mget: [],
  exists: [],
  incr: [],
  incrby: [1],
  decrby: [1],
  pttl: [],
  pexpire: [KEY_LIFETIME_MS],
  expireat: [1],
  hset: ['field', '1'],
  hget: ['field'],
  hdel: ['field'],
  hexists: ['field'],
  hincrby: ['field', 1],
  hgetall: [],
  hkeys: [],
  sadd: ['member'],
  srem: ['member'],
  smembers: [],
  srandmember: [1],
  zadd: [1, 'member'],
  zrem: ['member'],
  zcard: [],
  zscore: ['member'],
  zrange: [0, 0],
  zrangebyscore: [0, 1],
  zremrangebyscore: [0, 1],
  getdel: [],
  del: [],
};

/**
 * Tests whether the connection's user has the rights that the service needs, and reports all refused commands in one
 * finding. Afterwards the connection is unusable. Rejects when Redis is out of service.
 */
export async function triedRights(redis: Redis): Promise<Finding> {
  const { keyPrefix = '' } = redis.options;
  const refused = [...new Set(await refusals(redis, keyPrefix))];
  if (refused.length === 0) return ok('its user may do all that the service does');
  return fail(
    `Redis does not let the service ${refused.join(', ')} (NOPERM)`,
    `give the user of REDIS_URL the rights: ACL SETUSER <user> ${redisRights(keyPrefix)}`,
  );
}

async function refusals(redis: Redis, keyPrefix: string): Promise<string[]> {
  const name = `doctor:${randomUUID()}`;
  const attempt = async (place: string, command: string, ...args: (string | number)[]) =>
    redis.call(command, ...args).then(
      () => [],
      (error: unknown) => refusalIn(error, place),
    );
  const onKey = (lib: string, command: string, ...args: readonly (string | number)[]) =>
    attempt(`keys ${keyPrefix}${lib}:*`, command, `${lib}:${name}`, ...args);
  const onChannel = (command: string, ...args: string[]) =>
    REDIS_CHANNEL_PREFIXES.map((lib) => {
      const channel = `${keyPrefix}${lib}:`;
      return attempt(`channels ${channel}*`, command, channel + name, ...args);
    });

  const [first = ''] = REDIS_KEY_PREFIXES;
  const kept = await onKey(first, 'set', '1', 'PX', KEY_LIFETIME_MS);
  // Without that text the other commands would leave keys behind.
  if (kept.length > 0) return kept;
  const tried = [
    ...Object.entries(REDIS_COMMANDS).map(([command, args]) => onKey(first, command, ...args)),
    ...REDIS_KEY_PREFIXES.map((lib) => onKey(lib, 'get')),
    attempt('scripts', 'eval', 'return 1', 0),
    attempt('scripts', 'evalsha', 'none', 0),
    attempt('the clock', 'time'),
    ...onChannel('publish', ''),
    ...onChannel('subscribe'),
  ];
  return (await Promise.all(tried)).flat();
}

/** The refused right, in words; any other answer of Redis means that the user may run the command. */
function refusalIn(error: unknown, place: string): string[] {
  if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
  if (!error.message.startsWith('NOPERM')) return [];
  const [, command] = /run the '([^' |]+)/.exec(error.message) ?? [];
  return [command === undefined ? `reach ${place}` : `run ${command}`];
}
