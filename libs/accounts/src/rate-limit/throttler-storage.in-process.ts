import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import { roomAsNeeded } from '#libs/load';
import { throttlerRecord } from './throttler-record.js';
import { countersOf } from './visit-counters.js';

/**
 * Counts visits in fixed windows in this process, those of an IPv6 visitor in the windows of the
 * networks around it too. Holds at most `maxWindows`: beyond that the oldest one is forgotten, so a flood
 * of addresses costs memory no more than that. Time is the process's own: setting the machine's clock
 * opens no window and closes none.
 */
export class InProcessThrottlerStorage implements ThrottlerStorage {
  private readonly windows: LRUCache<string, { visits: number }>;

  constructor(maxWindows = 100_000) {
    this.windows = new LRUCache({ ...roomAsNeeded(maxWindows), ttlResolution: 0 });
  }

  async increment(visitor: string, periodMs: number, limit: number) {
    const counters = countersOf(visitor, limit);
    for (const counter of counters) {
      const visits = this.visitsOf(counter.key);
      if (visits >= counter.limit) return this.record(counter.key, visits + 1, counter.limit);
    }
    for (const { key } of counters) this.count(key, periodMs);
    return this.record(visitor, this.visitsOf(visitor), limit);
  }

  /** Not `get`: being used must not make a window younger. */
  private visitsOf(key: string) {
    return this.windows.peek(key)?.visits ?? 0;
  }

  private count(key: string, periodMs: number) {
    const window = this.windows.peek(key);
    if (window) window.visits += 1;
    else this.windows.set(key, { visits: 1 }, { ttl: periodMs });
  }

  private record(key: string, visits: number, limit: number) {
    return throttlerRecord(visits, this.windows.getRemainingTTL(key), limit);
  }
}
