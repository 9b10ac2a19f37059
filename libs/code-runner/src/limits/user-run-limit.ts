export const MAX_RUNS_PER_USER = 2;

/**
 * Counts each user's current runs over all replicas: at most {@link MAX_RUNS_PER_USER}. It only counts; a run
 * beyond the limit waits in the RunQueueService.
 *
 * Every method is one atomic step for any number of callers, connections and processes. A run is counted under a
 * lease: leases of a crashed replica expire, and a run that outlives its lease is no longer counted. A store that
 * is down rejects: nothing runs without being counted.
 */
export abstract class UserRunLimit {
  static readonly portOf = 'code';

  /** Returns whether the user was below the limit; `runId` (never used before) then counts for at most `leaseMs`. */
  abstract acquire(userId: string, runId: string, leaseMs: number): Promise<boolean>;

  /** Ends the lease of the run; does nothing when it has none. */
  abstract release(userId: string, runId: string): Promise<void>;
}
