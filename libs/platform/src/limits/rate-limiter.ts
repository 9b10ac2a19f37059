/** A counter that starts again from zero `periodMs` after the first request that it counted. */
export interface FixedWindow {
  readonly key: string;
  /** The most that it takes. */
  readonly limit: number;
  readonly periodMs: number;
}

/** What came of a `take`, in the window that decides: the first without room, else the last. */
export interface Counted {
  readonly passes: boolean;
  /** Which of the windows it is, from 0. */
  readonly at: number;
  /** What it holds, the amount included whether it had room for it or not. */
  readonly used: number;
  /** Until it starts again from zero. */
  readonly remainingMs: number;
}

/** Counts in fixed windows. Of concurrent calls, on any replica that shares the store, as many pass as fit. */
export interface RateLimiter {
  /** Counts the amount in all of the windows, or in none where one of them has no room for it. */
  take(windows: readonly FixedWindow[], amount?: number): Counted | Promise<Counted>;
}
