import { LRUCache } from 'lru-cache';

/**
 * Options of an LRUCache of at most `entries` that allocates memory as they are added: `max` would allocate 40 bytes
 * per entry at once, which takes some milliseconds of the start.
 */
export const roomAsNeeded = (entries: number) => ({
  maxSize: entries,
  sizeCalculation: () => 1,
});

/** A counter that starts again from zero `periodMs` after the first request that it counted. */
export interface FixedWindow {
  readonly key: string;
  /** The most that it takes. */
  readonly limit: number;
  readonly periodMs: number;
}

/** The result of a `take`, in the window that decides: the first without room, else the last. */
export interface WindowCount {
  readonly passes: boolean;
  /** Index of that window. */
  readonly at: number;
  /** Its count with the amount, also where it has no room for it. */
  readonly used: number;
  /** Until its count starts again from zero. */
  readonly remainingMs: number;
}

/** Counts in fixed windows. Of concurrent calls, on any replica that shares the store, as many pass as fit. */
export interface RateLimiter {
  /** Counts the amount in all of the windows, or in none where one of them has no room for it. */
  take(windows: readonly FixedWindow[], amount?: number): WindowCount | Promise<WindowCount>;
}

interface OpenWindow {
  readonly endsAt: number;
  used: number;
}

interface InProcessOptions {
  /** Beyond this number the oldest window is dropped, which bounds the memory under a flood of keys. */
  readonly maxWindows?: number;
  readonly now?: () => number;
}

/**
 * For a single replica. Its clock is the process's own, so that a change of the machine's clock opens and closes no
 * window, in whole milliseconds: sums of fractions are not exact, and a minute would last 60.00000000000003 s.
 */
export class InProcessRateLimiter implements RateLimiter {
  private readonly windows: LRUCache<string, OpenWindow>;
  private readonly now: () => number;

  constructor({
    maxWindows = 100_000,
    now = () => Math.floor(performance.now()),
  }: InProcessOptions = {}) {
    this.windows = new LRUCache(roomAsNeeded(maxWindows));
    this.now = now;
  }

  take(windows: readonly FixedWindow[], amount = 1): WindowCount {
    const now = this.now();
    const found = windows.map((window) => this.find(window, now));
    const used = (at: number) => (found[at]?.used ?? 0) + amount;
    const full = windows.findIndex(({ limit }, at) => used(at) > limit);
    const at = full === -1 ? windows.length - 1 : full;
    const endsAt = found[at]?.endsAt ?? now + (windows[at]?.periodMs ?? 0);
    const counted = { passes: full === -1, at, used: used(at), remainingMs: endsAt - now };
    if (counted.passes) windows.forEach((window, n) => this.count(window, found[n], amount, now));
    return counted;
  }

  /** Whether one more would pass; counts nothing and begins no window. */
  hasRoom(windows: readonly FixedWindow[]): boolean {
    const now = this.now();
    return windows.every((window) => (this.find(window, now)?.used ?? 0) < window.limit);
  }

  /** Not `get`: a use must not make a window the youngest. */
  private find({ key }: FixedWindow, now: number): OpenWindow | undefined {
    const window = this.windows.peek(key);
    return window && window.endsAt > now ? window : undefined;
  }

  private count(
    { key, periodMs }: FixedWindow,
    found: OpenWindow | undefined,
    amount: number,
    now: number,
  ) {
    if (found) found.used += amount;
    else this.windows.set(key, { endsAt: now + periodMs, used: amount });
  }
}
