import type { Visitor } from 'gatehouse/accounts';
import { type Challenge, ChallengeStore } from 'gatehouse/passkeys';

interface Kept {
  readonly issued: Challenge;
  readonly until: number;
  readonly visitor: string;
}

/** A store of the team's own, for one replica: it is in memory. `taken` is what it tells its metrics. */
export class AcmeChallengeStore extends ChallengeStore {
  taken = 0;
  private readonly kept = new Map<string, Kept>();

  async put(challenge: string, issued: Challenge, lifetimeMs: number, visitor: Visitor) {
    const now = Date.now();
    for (const [old, { until }] of this.kept) if (until <= now) this.kept.delete(old);
    const own = [...this.kept].filter(([, kept]) => kept.visitor === visitor.key);
    const [oldest] = own.length < visitor.limit ? [] : own;
    if (oldest) this.kept.delete(oldest[0]);
    this.kept.set(challenge, { issued, until: now + lifetimeMs, visitor: visitor.key });
  }

  async take(challenge: string) {
    const found = this.kept.get(challenge);
    if (this.kept.delete(challenge)) this.taken += 1;
    return found && found.until > Date.now() ? found.issued : undefined;
  }
}
