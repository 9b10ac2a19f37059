import { RUNS_AT_ONCE, RunSlots } from './user-run-limit.js';

/** For a single replica. It forgets an account that has nothing going. */
export class InProcessRunSlots extends RunSlots {
  private readonly accounts = new Map<string, Map<string, number>>();

  override async take(userId: string, holder: string, maxHoldMs: number) {
    const now = performance.now();
    const going = this.goingAt(now, userId);
    if (going.size >= RUNS_AT_ONCE) return false;
    this.accounts.set(userId, going.set(holder, now + maxHoldMs));
    return true;
  }

  override async release(userId: string, holder: string) {
    const going = this.accounts.get(userId);
    going?.delete(holder);
    if (going?.size === 0) this.accounts.delete(userId);
  }

  private goingAt(now: number, userId: string) {
    const held = [...(this.accounts.get(userId) ?? [])];
    return new Map(held.filter(([, endsAt]) => endsAt > now));
  }
}
