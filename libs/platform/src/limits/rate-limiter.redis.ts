import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import { LRUCache } from 'lru-cache';
import { OutageLog } from '../outage.js';
import {
  type WindowCount,
  type FixedWindow,
  InProcessRateLimiter,
  type RateLimiter,
  roomAsNeeded,
} from './rate-limiter.js';

/** ARGV: the amount, then the limit and the period of each window. */
const TAKE = `
local amount = tonumber(ARGV[1])
for n, key in ipairs(KEYS) do
  local used = tonumber(redis.call('GET', key) or 0) + amount
  if used > tonumber(ARGV[2 * n]) then return { 0, n, used, redis.call('PTTL', key) } end
end
local used
for n, key in ipairs(KEYS) do
  used = redis.call('INCRBY', key, amount)
  if used == amount then redis.call('PEXPIRE', key, ARGV[2 * n + 1]) end
end
return { 1, #KEYS, used, redis.call('PTTL', KEYS[#KEYS]) }`;

type CountingRedis = Redis & {
  takeInWindows(
    keys: number,
    ...keysAmountLimitsAndPeriods: (string | number)[]
  ): Promise<[passes: 0 | 1, nth: number, used: number, remainingMs: number]>;
};

/** Full windows that are remembered; for any beyond these a call asks Redis again. */
const MAX_FULL = 10_000;

interface SharedWindows {
  /** Of every key. */
  readonly prefix: string;
  /** The counted things, for the log. */
  readonly counts: string;
}

/**
 * For all replicas, with one script call per `take`. Full windows are remembered here until they end, so their refusals
 * cost Redis nothing. While Redis does not answer, each replica counts by itself: the limit gets looser, but stays.
 *
 * Not `rate-limiter-flexible`, which counts one key per call, counts what it refuses, and keeps keys for ever.
 */
export class RedisRateLimiter implements RateLimiter {
  private readonly outages = new OutageLog(new Logger(RedisRateLimiter.name));
  private readonly redis: CountingRedis;
  /** The end of each full window, by its key. */
  private readonly full = new LRUCache<string, number>(roomAsNeeded(MAX_FULL));

  constructor(
    redis: Redis,
    private readonly shared: SharedWindows,
    private readonly fallback: RateLimiter = new InProcessRateLimiter(),
  ) {
    redis.defineCommand('takeInWindows', { lua: TAKE });
    this.redis = redis as CountingRedis;
  }

  async take(windows: readonly FixedWindow[], amount = 1): Promise<WindowCount> {
    const known = this.findFull(windows, amount);
    if (known) return known;
    const counted = await this.outages.watch(
      () => this.count(windows, amount),
      `counting ${this.shared.counts} on this replica only`,
    );
    return counted ?? this.fallback.take(windows, amount);
  }

  private findFull(windows: readonly FixedWindow[], amount: number): WindowCount | undefined {
    const now = performance.now();
    for (const [at, { key, limit }] of windows.entries()) {
      const remainingMs = (this.full.peek(key) ?? 0) - now;
      if (remainingMs > 0) return { passes: false, at, used: limit + amount, remainingMs };
    }
    return undefined;
  }

  private async count(windows: readonly FixedWindow[], amount: number): Promise<WindowCount> {
    const keys = windows.map(({ key }) => `${this.shared.prefix}${key}`);
    const bounds = windows.flatMap(({ limit, periodMs }) => [limit, periodMs]);
    const [passes, nth, used, ttlMs] = await this.redis.takeInWindows(
      keys.length,
      ...keys,
      amount,
      ...bounds,
    );
    const { key, limit, periodMs } = windows[nth - 1] as FixedWindow;
    if (used - amount >= limit && ttlMs > 0) this.full.set(key, performance.now() + ttlMs);
    // No TTL: the amount is larger than the limit of an empty window.
    return { passes: passes === 1, at: nth - 1, used, remainingMs: ttlMs > 0 ? ttlMs : periodMs };
  }
}
