import type { Redis } from 'ioredis';
import type { Visitor } from '#libs/accounts';
import type { Challenge } from './challenge.js';
import { ChallengeStore } from './challenge-store.js';

const CHALLENGE = 'passkeys:challenge:';
const VISITOR = 'passkeys:challenges-of:';

/** SET comes first: a full Redis refuses it, and then nothing of the script has happened. */
const PUT = `
local challenge, issued, lifetime, limit, prefix = unpack(ARGV)
redis.call('SET', KEYS[1], issued, 'PX', lifetime)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
redis.call('ZADD', KEYS[2], now + lifetime * 1000, challenge)
redis.call('ZREMRANGEBYSCORE', KEYS[2], '-inf', now)
local over = redis.call('ZCARD', KEYS[2]) - limit
if over > 0 then
  local oldest = redis.call('ZPOPMIN', KEYS[2], over)
  for n = 1, #oldest, 2 do redis.call('DEL', prefix .. oldest[n]) end
end
if redis.call('PTTL', KEYS[2]) < tonumber(lifetime) then redis.call('PEXPIRE', KEYS[2], lifetime) end`;

/** Challenges of the version before had no visitor. */
const TAKE = `
local issued = redis.call('GETDEL', KEYS[1])
local visitor = issued and cjson.decode(issued).visitor
if visitor then redis.call('ZREM', ARGV[2] .. visitor, ARGV[1]) end
return issued`;

type ChallengeRedis = Redis & {
  putChallenge(...keysAndArguments: (string | number)[]): Promise<null>;
  takeChallenge(...keysAndArguments: string[]): Promise<string | null>;
};

/**
 * Keeps challenges in Redis for all replicas, each in a key that expires (GETDEL needs Redis 6.2), and
 * for each visitor a sorted set of the unused ones by when they expire, in microseconds.
 */
export class RedisChallengeStore extends ChallengeStore {
  private readonly redis: ChallengeRedis;

  constructor(redis: Redis) {
    super();
    redis.defineCommand('putChallenge', { numberOfKeys: 2, lua: PUT });
    redis.defineCommand('takeChallenge', { numberOfKeys: 1, lua: TAKE });
    this.redis = redis as ChallengeRedis;
  }

  override async put(challenge: string, issued: Challenge, lifetimeMs: number, visitor: Visitor) {
    const stored = JSON.stringify({ ...issued, visitor: visitor.key });
    const keys = [`${CHALLENGE}${challenge}`, `${VISITOR}${visitor.key}`];
    const values = [challenge, stored, lifetimeMs, visitor.limit, CHALLENGE];
    await this.redis.putChallenge(...keys, ...values);
  }

  override async take(challenge: string) {
    const stored = await this.redis.takeChallenge(`${CHALLENGE}${challenge}`, challenge, VISITOR);
    if (stored === null) return undefined;
    const { visitor: _, ...issued } = JSON.parse(stored) as Challenge & { visitor?: string };
    return issued as Challenge;
  }
}
