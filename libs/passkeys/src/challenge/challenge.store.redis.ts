import type { Redis } from 'ioredis';
import type { Visitor } from '#libs/accounts';
import { type Challenge, ChallengeStore, MAX_CHALLENGES, noRoom } from './challenge.store.js';

const CHALLENGE = 'passkeys:challenge:';
const HOLDER = 'passkeys:challenges-of:';
const ALL = 'passkeys:challenges';

/**
 * KEYS are the challenge, then the sets of the visitor, of the network and of all challenges. SET comes first: a
 * full Redis refuses it, and then the script has changed nothing. Returns 0 when there is no room.
 */
const PUT = `
local challenge, issued, lifetime, limit, capacity, prefix = unpack(ARGV)
redis.call('SET', KEYS[1], issued, 'PX', lifetime)
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
for n = 2, 4 do redis.call('ZREMRANGEBYSCORE', KEYS[n], '-inf', now) end
local isFull = redis.call('ZCARD', KEYS[2]) >= tonumber(limit)
if isFull or redis.call('ZCARD', KEYS[3]) >= capacity - redis.call('ZCARD', KEYS[4]) then
  local oldest = redis.call('ZRANGE', KEYS[2], 0, 0)[1]
  redis.call('DEL', oldest and prefix .. oldest or KEYS[1])
  if not oldest then return 0 end
  for n = 2, 4 do redis.call('ZREM', KEYS[n], oldest) end
end
for n = 2, 4 do
  redis.call('ZADD', KEYS[n], now + lifetime * 1000, challenge)
  if redis.call('PTTL', KEYS[n]) < tonumber(lifetime) then redis.call('PEXPIRE', KEYS[n], lifetime) end
end
return 1`;

const TAKE = `
local issued = redis.call('GETDEL', KEYS[1])
if not issued then return issued end
local holders = cjson.decode(issued)
redis.call('ZREM', ARGV[2] .. holders.visitor, ARGV[1])
redis.call('ZREM', ARGV[2] .. holders.network, ARGV[1])
redis.call('ZREM', KEYS[2], ARGV[1])
return issued`;

type ChallengeRedis = Redis & {
  putChallenge(...keysAndArguments: (string | number)[]): Promise<0 | 1>;
  takeChallenge(...keysAndArguments: string[]): Promise<string | null>;
};

/** Stored with a challenge: the visitor and the network that it counts for. */
interface Holders {
  readonly visitor: string;
  readonly network: string;
}

/**
 * Keeps challenges in Redis for all replicas, with the shares of InProcessChallengeStore. Each visitor, each network
 * and the whole store has a sorted set of its challenges by expiry, in microseconds. GETDEL needs Redis 6.2.
 */
export class RedisChallengeStore extends ChallengeStore {
  private readonly redis: ChallengeRedis;
  /** For keys that are built inside the scripts, where ioredis adds no prefix. */
  private readonly keyPrefix: string;

  constructor(
    redis: Redis,
    private readonly capacity = MAX_CHALLENGES,
  ) {
    super();
    redis.defineCommand('putChallenge', { numberOfKeys: 4, lua: PUT });
    redis.defineCommand('takeChallenge', { numberOfKeys: 2, lua: TAKE });
    this.redis = redis as ChallengeRedis;
    this.keyPrefix = redis.options.keyPrefix ?? '';
  }

  override async put(challenge: string, issued: Challenge, lifetimeMs: number, visitor: Visitor) {
    const { key, network, limit } = visitor;
    const stored = JSON.stringify({ ...issued, visitor: key, network });
    const keys = [CHALLENGE + challenge, HOLDER + key, HOLDER + network, ALL];
    const values = [
      challenge,
      stored,
      lifetimeMs,
      limit,
      this.capacity,
      this.keyPrefix + CHALLENGE,
    ];
    if ((await this.redis.putChallenge(...keys, ...values)) === 0) throw noRoom();
  }

  override async take(challenge: string) {
    const keys = [CHALLENGE + challenge, ALL];
    const stored = await this.redis.takeChallenge(...keys, challenge, this.keyPrefix + HOLDER);
    if (stored === null) return undefined;
    const { visitor: _, network: __, ...issued } = JSON.parse(stored) as Challenge & Holders;
    return issued as Challenge;
  }
}
