import { LRUCache } from 'lru-cache';
import { roomAsNeeded } from './room-as-needed.js';

const MAX_KEYS = 100_000;

interface Bucket {
  left: number;
  countedAt: number;
}

/** How much there may be at once, and how much of it flows in again in a second. */
export interface Flow {
  readonly atOnce: number;
  readonly perSecond: number;
}

/**
 * A bucket for each of many, as accounts are. One is forgotten when it is full again and no sooner, so nothing is
 * gained by going and coming back.
 */
export class Buckets {
  private readonly buckets: LRUCache<string, Bucket>;

  constructor(
    private readonly flow: Flow,
    private readonly now = () => performance.now(),
  ) {
    this.buckets = new LRUCache({ ...roomAsNeeded(MAX_KEYS), ttlResolution: 0, perf: { now } });
  }

  /** Whether there is so much left; if so, it is taken. */
  take(key: string, amount: number): boolean {
    const bucket = this.bucketOf(key);
    const passes = amount <= bucket.left;
    if (passes) bucket.left -= amount;
    this.keep(key, bucket);
    return passes;
  }

  /** Takes it whether it is there or not, and returns after how many milliseconds nothing is owed any more. */
  owe(key: string, amount: number): number {
    const bucket = this.bucketOf(key);
    bucket.left -= amount;
    this.keep(key, bucket);
    return Math.max(0, -bucket.left / this.flow.perSecond) * 1000;
  }

  private bucketOf(key: string): Bucket {
    const { atOnce, perSecond } = this.flow;
    const now = this.now();
    const { left, countedAt } = this.buckets.get(key) ?? { left: atOnce, countedAt: now };
    return {
      left: Math.min(atOnce, left + ((now - countedAt) / 1000) * perSecond),
      countedAt: now,
    };
  }

  private keep(key: string, bucket: Bucket) {
    const { atOnce, perSecond } = this.flow;
    const ttl = Math.ceil(((atOnce - bucket.left) / perSecond) * 1000);
    if (ttl > 0) this.buckets.set(key, bucket, { ttl });
  }
}
