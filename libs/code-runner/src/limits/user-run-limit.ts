export const RUNS_AT_ONCE = 2;

/**
 * How many runs of code each account has going, over all replicas: at most {@link RUNS_AT_ONCE}.
 *
 * Every method is one atomic step for any number of callers, connections and processes. What a crashed
 * replica took comes free by itself when its time is up. A slot that is held for longer than that may be
 * given to another. A store that is down rejects: without a count nothing runs.
 */
export abstract class RunSlots {
  /** Whether the account had a slot left, which `holder` (never used before) now has for at most `maxHoldMs`. */
  abstract take(userId: string, holder: string, maxHoldMs: number): Promise<boolean>;

  /** Gives the holder's slot back; does nothing when it has none. */
  abstract release(userId: string, holder: string): Promise<void>;
}
