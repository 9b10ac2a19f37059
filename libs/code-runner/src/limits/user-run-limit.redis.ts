import type { Redis, Result } from 'ioredis';
import { MAX_RUNS_PER_USER, UserRunLimit } from './user-run-limit.js';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    acquireRun(
      key: string,
      runId: string,
      leaseMs: number,
      maxRuns: number,
    ): Result<0 | 1, Context>;
  }
}

// Uses Redis' own clock, so the clocks of replicas may differ.
const ACQUIRE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + math.floor(time[2] / 1000)
  redis.call('ZREMRANGEBYSCORE', KEYS[1], '-inf', now)
  if redis.call('ZCARD', KEYS[1]) >= tonumber(ARGV[3]) then return 0 end
  redis.call('ZADD', KEYS[1], now + ARGV[2], ARGV[1])
  if redis.call('PTTL', KEYS[1]) < tonumber(ARGV[2]) then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
  return 1`;

/** A sorted set per user, of the current runs by the end of their leases. */
export class RedisUserRunLimit extends UserRunLimit {
  constructor(private readonly redis: Redis) {
    super();
    redis.defineCommand('acquireRun', { numberOfKeys: 1, lua: ACQUIRE });
  }

  override async acquire(userId: string, runId: string, leaseMs: number) {
    return (await this.redis.acquireRun(key(userId), runId, leaseMs, MAX_RUNS_PER_USER)) === 1;
  }

  override async release(userId: string, runId: string) {
    await this.redis.zrem(key(userId), runId);
  }
}

const key = (userId: string) => `code:running:${userId}`;
