import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';
import { fail, type Finding, ok } from '../finding.js';
import { REDIS_CHANNEL_PREFIXES, REDIS_KEY_PREFIXES, redisRights } from './redis-rights.js';

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
