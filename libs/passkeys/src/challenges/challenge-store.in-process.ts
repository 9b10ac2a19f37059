import type { Challenge } from './challenge.js';
import { ChallengeStore } from './challenge-store.js';

interface Waiting {
  readonly issued: Challenge;
  readonly expiresAt: number;
}

/**
 * Keeps challenges in this process, at most `capacity` of them: beyond that the oldest one is
 * forgotten and its ceremony has to start again.
 */
export class InProcessChallengeStore extends ChallengeStore {
  private readonly waiting = new Map<string, Waiting>();

  constructor(private readonly capacity = 50_000) {
    super();
  }

  override async put(challenge: string, issued: Challenge, lifetimeMs: number) {
    const now = Date.now();
    this.makeRoom(now);
    this.waiting.set(challenge, { issued, expiresAt: now + lifetimeMs });
  }

  override async take(challenge: string) {
    const found = this.waiting.get(challenge);
    this.waiting.delete(challenge);
    return found && found.expiresAt > Date.now() ? found.issued : undefined;
  }

  /** Challenges stand in the order they were put in, so the expired ones are in front. */
  private makeRoom(now: number) {
    for (const [challenge, { expiresAt }] of this.waiting) {
      if (expiresAt > now && this.waiting.size < this.capacity) return;
      this.waiting.delete(challenge);
    }
  }
}
