export const MAX_RUNS_PER_USER = 2;

/**
 * Counts the runs that each user has going, over all replicas: at most {@link MAX_RUNS_PER_USER}. It only
 * counts; who finds the limit reached waits in the RunQueueService.
 *
 * Every method is one atomic step for any number of callers, connections and processes. A run is counted
 * under a lease: those of a crashed replica end by themselves, and one that outlives its lease is no longer
 * counted. A store that is down rejects: without a count nothing runs.
 */
export abstract class UserRunLimit {
  static readonly portOf = 'code';

  /** Whether the user had a run left; `runId` (never used before) then counts for at most `leaseMs`. */
  abstract acquire(userId: string, runId: string, leaseMs: number): Promise<boolean>;

  /** Ends the lease of the run; does nothing when it has none. */
  abstract release(userId: string, runId: string): Promise<void>;
}
