/** The user has the maximum of running and waiting runs. Nothing ran, nothing was charged. */
export class TooManyRunsError extends Error {
  override name = 'TooManyRunsError';
}

/** A store is down, so runs cannot be counted or charged. Nothing ran, nothing was charged. */
export class RunsUnavailableError extends Error {
  override name = 'RunsUnavailableError';
}

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

/** For a single replica. A user without runs takes no memory. */
export class InProcessUserRunLimit extends UserRunLimit {
  private readonly users = new Map<string, Map<string, number>>();

  override async acquire(userId: string, runId: string, leaseMs: number) {
    const now = performance.now();
    const leases = [...(this.users.get(userId) ?? [])].filter(([, endsAt]) => endsAt > now);
    if (leases.length >= MAX_RUNS_PER_USER) return false;
    this.users.set(userId, new Map([...leases, [runId, now + leaseMs]]));
    return true;
  }

  override async release(userId: string, runId: string) {
    const leases = this.users.get(userId);
    leases?.delete(runId);
    if (leases?.size === 0) this.users.delete(userId);
  }
}
