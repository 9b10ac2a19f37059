import { LRUCache } from 'lru-cache';

/** As many flow in each second as fit in. */
const BYTES = 2 * 1024 * 1024;
const FULL_AFTER_MS = 1000;
const MAX_ACCOUNTS = 100_000;

interface Bucket {
  bytes: number;
  countedAt: number;
}

/**
 * What the tabs of each account send to this replica, all together: 2 MiB a second, and as much at
 * once. An account is forgotten when its bucket is full again and no sooner, so nothing is gained by
 * closing all tabs and opening them anew.
 */
export class AccountTraffic {
  private readonly buckets: LRUCache<string, Bucket>;

  constructor(private readonly now = () => performance.now()) {
    const perf = { now };
    this.buckets = new LRUCache({ max: MAX_ACCOUNTS, ttl: FULL_AFTER_MS, ttlResolution: 0, perf });
  }

  /** Whether a frame of so many bytes may pass now; if so, it is counted. */
  take(userId: string, bytes: number): boolean {
    const now = this.now();
    const bucket = this.buckets.get(userId) ?? { bytes: BYTES, countedAt: now };
    bucket.bytes = Math.min(BYTES, bucket.bytes + ((now - bucket.countedAt) / 1000) * BYTES);
    bucket.countedAt = now;
    const passes = bytes <= bucket.bytes;
    if (passes) bucket.bytes -= bytes;
    this.buckets.set(userId, bucket);
    return passes;
  }
}
