import { MAX_RUNS_PER_USER, UserRunLimit } from './user-run-limit.js';

/** For a single replica. A user without runs takes no memory. */
export class InProcessUserRunLimit extends UserRunLimit {
  private readonly users = new Map<string, Map<string, number>>();

  override async acquire(userId: string, runId: string, leaseMs: number) {
    const now = performance.now();
    const going = this.goingAt(now, userId);
    if (going.size >= MAX_RUNS_PER_USER) return false;
    this.users.set(userId, going.set(runId, now + leaseMs));
    return true;
  }

  override async release(userId: string, runId: string) {
    const going = this.users.get(userId);
    going?.delete(runId);
    if (going?.size === 0) this.users.delete(userId);
  }

  private goingAt(now: number, userId: string) {
    const leases = [...(this.users.get(userId) ?? [])];
    return new Map(leases.filter(([, endsAt]) => endsAt > now));
  }
}
