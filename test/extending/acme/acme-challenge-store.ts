import { type Challenge, ChallengeStore } from '#libs/passkeys';

/** A store of the team's own; `taken` is what it tells its metrics. */
export class AcmeChallengeStore extends ChallengeStore {
  taken = 0;
  private readonly kept = new Map<string, { issued: Challenge; until: number }>();

  async put(challenge: string, issued: Challenge, lifetimeMs: number) {
    this.kept.set(challenge, { issued, until: Date.now() + lifetimeMs });
  }

  async take(challenge: string) {
    const found = this.kept.get(challenge);
    if (this.kept.delete(challenge)) this.taken += 1;
    return found && found.until > Date.now() ? found.issued : undefined;
  }
}
