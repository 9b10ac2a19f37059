import { LRUCache } from 'lru-cache';
import { roomAsNeeded } from './room-as-needed.js';

const MAX_KEYS = 100_000;

const monotonicMs = () => performance.now();

/** What a bucket holds when it is full, and what flows in again in a second. */
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

  /** Whether that much is left; if so, it is taken. */
  take(amount: number): boolean {
    if (amount > this.left()) return false;
    this.tokens -= amount;
    return true;
  }

  /** Takes it whether it is there or not, and returns the milliseconds until nothing is owed any more. */
  owe(amount: number): number {
    this.tokens = this.left() - amount;
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

/** One for each of many keys, as accounts are; beyond 100,000 the one that was longest not used is full again. */
export class TokenBuckets {
  private readonly buckets = new LRUCache<string, TokenBucket>(roomAsNeeded(MAX_KEYS));

  constructor(
    private readonly flow: Flow,
    private readonly now = monotonicMs,
  ) {}

  of(key: string): TokenBucket {
    const known = this.buckets.get(key);
    const bucket = known ?? new TokenBucket(this.flow, this.now);
    if (!known) this.buckets.set(key, bucket);
    return bucket;
  }
}
