import { LRUCache } from 'lru-cache';
import type { Challenge } from './challenge.js';
import { ChallengeStore } from './challenge-store.js';

/**
 * Keeps challenges in this process, at most `capacity` of them: beyond that the oldest one is
 * forgotten and its ceremony has to start again. Time is the process's own, which nobody can set.
 */
export class InProcessChallengeStore extends ChallengeStore {
  private readonly waiting: LRUCache<string, Challenge>;

  constructor(capacity = 50_000) {
    super();
    this.waiting = new LRUCache({ max: capacity, ttlResolution: 0 });
  }

  override async put(challenge: string, issued: Challenge, lifetimeMs: number) {
    this.waiting.set(challenge, issued, { ttl: lifetimeMs });
  }

  override async take(challenge: string) {
    const issued = this.waiting.get(challenge);
    this.waiting.delete(challenge);
    return issued;
  }
}
