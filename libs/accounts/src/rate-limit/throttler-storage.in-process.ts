import type { ThrottlerStorage } from '@nestjs/throttler';
import { visitRecord } from './throttler-record.js';

interface Window {
  visits: number;
  readonly endsAt: number;
}

/**
 * Counts visits in fixed windows in this process. Holds at most `maxVisitors` of them: beyond that
 * the oldest window is forgotten, so a flood of addresses costs memory no more than that.
 */
export class InProcessVisitWindows implements ThrottlerStorage {
  private readonly windows = new Map<string, Window>();

  constructor(private readonly maxVisitors = 100_000) {}

  async increment(visitor: string, periodMs: number, limit: number) {
    const now = Date.now();
    const window = this.current(visitor, now) ?? this.open(visitor, now, periodMs);
    window.visits += 1;
    return visitRecord(window.visits, window.endsAt - now, limit);
  }

  private current(visitor: string, now: number) {
    const window = this.windows.get(visitor);
    return window && window.endsAt > now ? window : undefined;
  }

  private open(visitor: string, now: number, periodMs: number) {
    this.windows.delete(visitor);
    this.makeRoom(now);
    const window = { visits: 0, endsAt: now + periodMs };
    this.windows.set(visitor, window);
    return window;
  }

  /** Windows stand in the order they were opened in, so the ones that ended are in front. */
  private makeRoom(now: number) {
    for (const [visitor, { endsAt }] of this.windows) {
      if (endsAt > now && this.windows.size < this.maxVisitors) return;
      this.windows.delete(visitor);
    }
  }
}
