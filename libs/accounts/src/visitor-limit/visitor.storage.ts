import type { ThrottlerStorage } from '@nestjs/throttler';
import type { RateLimiter } from '#libs/platform';
import { countersOf } from './visitor.js';

/** Counts visits in fixed windows; a visit over IPv6 also counts for the networks around the visitor. */
export class VisitorStorage implements ThrottlerStorage {
  constructor(private readonly limiter: RateLimiter) {}

  async increment(visitor: string, periodMs: number, limit: number) {
    const { passes, used, remainingMs } = await this.limiter.take(
      windowsOf(visitor, periodMs, limit),
    );
    const remainingSeconds = Math.ceil(remainingMs / 1000);
    return {
      totalHits: used,
      timeToExpire: remainingSeconds,
      isBlocked: !passes,
      timeToBlockExpire: remainingSeconds,
    };
  }

  /** Takes back one visit that passed, where only those that fail count. */
  async giveBack(visitor: string, periodMs: number, limit: number): Promise<void> {
    await this.limiter.take(windowsOf(visitor, periodMs, limit), -1);
  }
}

const windowsOf = (visitor: string, periodMs: number, limit: number) =>
  countersOf(visitor, limit).map(({ key, limit: most }) => ({ key, limit: most, periodMs }));
