import { LRUCache } from 'lru-cache';
import { roomAsNeeded } from './rate-limiter.js';

const MAX_KEYS = 100_000;

const monotonicMs = () => performance.now();

export interface Flow {
  readonly atOnce: number;
  readonly perSecond: number;
}

/** Full at first. */
export class TokenBucket {
  private tokens: number;
  private countedAt: number;

  constructor(
    private readonly flow: Flow,
    private readonly now = monotonicMs,
  ) {
    this.tokens = flow.atOnce;
    this.countedAt = now();
  }

  get isFull(): boolean {
    return this.left() === this.flow.atOnce;
  }

  /** Takes the amount if that much is left, and returns whether it did. */
  take(amount: number): boolean {
    if (amount > this.left()) return false;
    this.tokens -= amount;
    return true;
  }

  /**
   * Takes the amount even if less is left, and returns the milliseconds until the debt is paid. The debt is at most
   * what the bucket holds.
   */
  owe(amount: number): number {
    this.tokens = Math.max(this.left() - amount, -this.flow.atOnce);
    return Math.max(0, -this.tokens / this.flow.perSecond) * 1000;
  }

  private left(): number {
    const { atOnce, perSecond } = this.flow;
    const now = this.now();
    this.tokens = Math.min(atOnce, this.tokens + ((now - this.countedAt) / 1000) * perSecond);
    this.countedAt = now;
    return this.tokens;
  }
}

/** A bucket for each key, such as an account; beyond 100,000 the least recently used one is full again. */
export class TokenBuckets {
  private readonly buckets: LRUCache<string, TokenBucket>;

  constructor(flow: Flow, now = monotonicMs) {
    const memoMethod = () => new TokenBucket(flow, now);
    this.buckets = new LRUCache({ ...roomAsNeeded(MAX_KEYS), memoMethod });
  }

  of(key: string): TokenBucket {
    return this.buckets.memo(key);
  }
}
