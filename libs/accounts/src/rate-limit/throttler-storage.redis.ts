import { Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { OutageLog } from '#libs/database';
import { throttlerRecord } from './throttler-record.js';

const COUNT_VISIT = `
local visits = redis.call('INCR', KEYS[1])
if visits == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
return { visits, redis.call('PTTL', KEYS[1]) }`;

type CountingRedis = Redis & {
  countVisit(key: string, periodMs: number): Promise<[visits: number, remainingMs: number]>;
};

/**
 * Counts visits in fixed windows that all replicas share, one script call a visit. While Redis
 * does not answer, each replica counts by itself: the limit loosens, it never opens.
 */
export class RedisThrottlerStorage implements ThrottlerStorage {
  private readonly outages = new OutageLog(new Logger(RedisThrottlerStorage.name));
  private readonly redis: CountingRedis;

  constructor(
    redis: Redis,
    private readonly fallback: ThrottlerStorage,
  ) {
    redis.defineCommand('countVisit', { numberOfKeys: 1, lua: COUNT_VISIT });
    this.redis = redis as CountingRedis;
  }

  async increment(...visit: Parameters<ThrottlerStorage['increment']>) {
    const [visitor, periodMs, limit] = visit;
    try {
      const counted = await this.redis.countVisit(`accounts:visits:${visitor}`, periodMs);
      this.outages.end();
      return throttlerRecord(...counted, limit);
    } catch (error) {
      this.outages.begin(`counting visits on this replica only: ${String(error)}`);
      return this.fallback.increment(...visit);
    }
  }
}
