import { randomUUID } from 'node:crypto';
import type { Redis } from 'ioredis';

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

/** The commands of the service, with their arguments after a key of a text: other types fail with WRONGTYPE. */
export const REDIS_COMMANDS = `
  get mget exists incr incrby:1 decrby:1 pttl pexpire:${KEY_LIFETIME_MS} expireat:1
  hset:field:1 hget:field hdel:field hexists:field hincrby:field:1 hgetall hkeys
  sadd:member srem:member smembers srandmember:1
  zadd:1:member zrem:member zcard zscore:member zrange:0:0 zrangebyscore:0:1 zremrangebyscore:0:1
  getdel del`
  .trim()
  .split(/\s+/)
  .map((line) => line.split(':'));

/**
 * What Redis does not let the connection's user do, in one line, and the rights to give; undefined if the user has all
 * that the service needs. Afterwards the connection is unusable. Rejects if Redis is out of service.
 */
export async function lackingRights(redis: Redis) {
  const { keyPrefix = '' } = redis.options;
  const refused = [...new Set(await refusals(redis, keyPrefix))];
  if (refused.length === 0) return undefined;
  return {
    text: `Redis does not let the service ${refused.join(', ')} (NOPERM)`,
    remedy: `give the user of REDIS_URL the rights: ACL SETUSER <user> ${redisRights(keyPrefix)}`,
  };
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
    ...REDIS_COMMANDS.map(([command = '', ...args]) => onKey(first, command, ...args)),
    ...REDIS_KEY_PREFIXES.map((lib) => onKey(lib, 'get')),
    attempt('scripts', 'eval', 'return 1', 0),
    attempt('scripts', 'evalsha', 'none', 0),
    attempt('the clock', 'time'),
    ...onChannel('publish', ''),
    ...onChannel('subscribe'),
  ];
  return (await Promise.all(tried)).flat();
}

/** What a user with every right is answered too: the key holds another type, and no such script is known. */
const EXPECTED = /^(?:WRONGTYPE|NOSCRIPT)/;

function refusalIn(error: unknown, place: string): string[] {
  if (!(error instanceof Error) || error.name !== 'ReplyError') throw error;
  if (EXPECTED.test(error.message)) return [];
  if (!error.message.startsWith('NOPERM')) throw error;
  const [, command] = /run the '([^' |]+)/.exec(error.message) ?? [];
  return [command === undefined ? `reach ${place}` : `run ${command}`];
}
