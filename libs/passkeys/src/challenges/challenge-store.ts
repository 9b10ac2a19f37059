import { RefusalError, type Visitor } from '#libs/accounts';
import type { Challenge } from './challenge.js';

/** Maximum of unused challenges, of all visitors together. */
export const MAX_CHALLENGES = 50_000;

/** Stores challenges of registration until they are verified once. */
export abstract class ChallengeStore {
  static readonly portOf = 'passkeys';

  /**
   * Stores a challenge for `lifetimeMs`. A visitor holds at most `visitor.limit` unused challenges: a further one
   * displaces the visitor's oldest, never that of another visitor. Both hold under concurrent calls, on any
   * replica. Rejects when the challenge could not be stored, and with RefusalError 503 when there is no room.
   */
  abstract put(
    challenge: string,
    issued: Challenge,
    lifetimeMs: number,
    visitor: Visitor,
  ): Promise<void>;

  /**
   * Removes and returns a challenge; undefined when it was never stored, was already taken or has expired. Of any
   * number of concurrent calls for one challenge, on any replica, exactly one gets it.
   */
  abstract take(challenge: string): Promise<Challenge | undefined>;
}

/** The store is full, or the visitor's network holds its whole share. */
export const noRoom = () =>
  new RefusalError(503, 'too many sign-ups are in progress; try again in a minute', {
    'Retry-After': '60',
  });
