import type { ThrottlerStorage } from '@nestjs/throttler';
import { LRUCache } from 'lru-cache';
import { throttlerRecord } from './throttler-record.js';

/**
 * Counts visits in fixed windows in this process. Holds at most `maxVisitors` of them: beyond that
 * the oldest window is forgotten, so a flood of addresses costs memory no more than that. Time is the
 * process's own: setting the machine's clock opens no window and closes none.
 */
export class InProcessThrottlerStorage implements ThrottlerStorage {
  private readonly windows: LRUCache<string, { visits: number }>;

  constructor(maxVisitors = 100_000) {
    this.windows = new LRUCache({ max: maxVisitors, ttlResolution: 0 });
  }

  async increment(visitor: string, periodMs: number, limit: number) {
    // Not `get`: being used must not make a window younger.
    const window = this.windows.peek(visitor) ?? this.open(visitor, periodMs);
    window.visits += 1;
    return throttlerRecord(window.visits, this.windows.getRemainingTTL(visitor), limit);
  }

  private open(visitor: string, periodMs: number) {
    const window = { visits: 0 };
    this.windows.set(visitor, window, { ttl: periodMs });
    return window;
  }
}
