import type { Challenge } from './challenge.js';

/** Where issued challenges wait for their one verification. */
export abstract class ChallengeStore {
  /** Keeps a challenge for a while. Rejects when it could not be kept. */
  abstract put(challenge: string, issued: Challenge, lifetimeMs: number): Promise<void>;

  /**
   * Removes and returns; undefined when it was never put, was taken before or has expired. Of any
   * number of concurrent calls for one challenge, on any replica, exactly one gets it.
   */
  abstract take(challenge: string): Promise<Challenge | undefined>;
}
