import { RefusalError, type Visitor } from '#libs/accounts';
import type { Challenge } from './challenge.js';

/** The most that wait at once, of everybody. */
export const MAX_CHALLENGES = 50_000;

/** Where challenges of registration wait for their one verification. */
export abstract class ChallengeStore {
  static readonly portOf = 'passkeys';

  /**
   * Keeps a challenge for a while. A visitor holds at most `visitor.limit` that are unused: one more,
   * and the oldest of his own is forgotten, never anybody else's. Both holds under concurrent calls,
   * on any replica. Rejects when it could not be kept, and with RefusalError 503 when there is no room.
   */
  abstract put(
    challenge: string,
    issued: Challenge,
    lifetimeMs: number,
    visitor: Visitor,
  ): Promise<void>;

  /**
   * Removes and returns; undefined when it was never put, was taken before or has expired. Of any
   * number of concurrent calls for one challenge, on any replica, exactly one gets it.
   */
  abstract take(challenge: string): Promise<Challenge | undefined>;
}

/** As many wait as may, or the visitor's network has all that is not left for others. */
export const noRoom = () =>
  new RefusalError(503, 'too many sign-ups are in progress; try again in a minute', {
    'Retry-After': '60',
  });
