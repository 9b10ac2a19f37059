import { Logger } from '@nestjs/common';
import type { ThrottlerStorage } from '@nestjs/throttler';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { roomAsNeeded } from '#libs/load';
import { OutageLog } from '#libs/database';
import { throttlerRecord } from './throttler-record.js';
import { countersOf, type VisitCounter } from './visit-counters.js';

/** A visit that one of the counters has no room for is counted in none. */
const COUNT_VISIT = `
for n, key in ipairs(KEYS) do
  local visits = tonumber(redis.call('GET', key) or 0)
  if visits >= tonumber(ARGV[n + 1]) then return { n, visits + 1, redis.call('PTTL', key) } end
end
local visits
for _, key in ipairs(KEYS) do
  visits = redis.call('INCR', key)
  if visits == 1 then redis.call('PEXPIRE', key, ARGV[1]) end
end
return { #KEYS, visits, redis.call('PTTL', KEYS[#KEYS]) }`;

type CountingRedis = Redis & {
  countVisit(
    keys: number,
    ...keysPeriodAndLimits: (string | number)[]
  ): Promise<[counter: number, visits: number, remainingMs: number]>;
};

/** Counters that are known to be full; whoever fills more of them is counted in Redis again. */
const MAX_FULL = 10_000;

/**
 * Counts visits in fixed windows that all replicas share, those of an IPv6 visitor in the windows of the
 * networks around it too, by one script call a visit. A counter that is full is known here until its
 * window ends: whoever goes on gets his refusals without Redis. While Redis does not answer, each replica counts
 * by itself: the limit loosens, it never opens.
 */
export class RedisThrottlerStorage implements ThrottlerStorage {
  private readonly outages = new OutageLog(new Logger(RedisThrottlerStorage.name));
  private readonly redis: CountingRedis;
  private readonly full = new LRUCache<string, true>({
    ...roomAsNeeded(MAX_FULL),
    ttlResolution: 0,
  });

  constructor(
    redis: Redis,
    private readonly fallback: ThrottlerStorage,
  ) {
    redis.defineCommand('countVisit', { lua: COUNT_VISIT });
    this.redis = redis as CountingRedis;
  }

  async increment(...visit: Parameters<ThrottlerStorage['increment']>) {
    const [visitor, periodMs, limit] = visit;
    const counters = countersOf(visitor, limit);
    const full = counters.find(({ key }) => this.full.has(key));
    if (full) return this.refusal(full);
    try {
      const record = await this.count(counters, periodMs);
      this.outages.end();
      return record;
    } catch (error) {
      this.outages.begin(`counting visits on this replica only: ${String(error)}`);
      return this.fallback.increment(...visit);
    }
  }

  private async count(counters: readonly VisitCounter[], periodMs: number) {
    const limits = counters.map(({ limit }) => limit);
    const keys = counters.map(({ key }) => `accounts:visits:${key}`);
    const counted = await this.redis.countVisit(keys.length, ...keys, periodMs, ...limits);
    const [decisive, visits, remainingMs] = counted;
    const { key, limit } = counters[decisive - 1] as VisitCounter;
    if (visits > limit && remainingMs > 0) this.full.set(key, true, { ttl: remainingMs });
    return throttlerRecord(visits, remainingMs, limit);
  }

  private refusal({ key, limit }: VisitCounter) {
    return throttlerRecord(limit + 1, this.full.getRemainingTTL(key), limit);
  }
}
