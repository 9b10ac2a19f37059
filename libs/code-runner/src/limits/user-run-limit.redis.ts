import type { Redis, Result } from 'ioredis';
import { RUNS_AT_ONCE, RunSlots } from './user-run-limit.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    codeTakeSlot(
      key: string,
      holder: string,
      maxHoldMs: number,
      atOnce: number,
    ): Result<0 | 1, Context>;
  }
}

// The clock is Redis' own, so those of the replicas may differ.
const TAKE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return 1`;

/** A sorted set per account of who holds a slot until when. */
export class RedisRunSlots extends RunSlots {
  constructor(private readonly redis: Redis) {
    super();
    redis.defineCommand('codeTakeSlot', { numberOfKeys: 1, lua: TAKE });
  }

  override async take(userId: string, holder: string, maxHoldMs: number) {
    return (await this.redis.codeTakeSlot(key(userId), holder, maxHoldMs, RUNS_AT_ONCE)) === 1;
  }

  override async release(userId: string, holder: string) {
    await this.redis.zrem(key(userId), holder);
  }
}

const key = (userId: string) => `code:running:${userId}`;
