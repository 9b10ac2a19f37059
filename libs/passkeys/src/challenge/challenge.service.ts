import type { KeyObject } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { Visitor } from '#libs/accounts';
import { getServiceKey, readDatabaseClock } from '#libs/platform';
import { type Challenge, CHALLENGE_LIFETIME_MS, ChallengeStore } from './challenge.store.js';
import { makeProvenChallenge, proveChallenge, type Use, useUp } from './sign-in-challenge.store.js';

const KEY_NAME = 'sign-in-challenges';

/** Issues challenges and takes them back, each once and only for its use. */
export class ChallengesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ChallengeStore,
    private readonly key: KeyObject,
  ) {}

  /** Reads the key that proves challenges, which is created on first use. */
  static async open(dataSource: DataSource, store: ChallengeStore) {
    return new ChallengesService(dataSource, store, await getServiceKey(dataSource, KEY_NAME));
  }

  /** Stores a challenge of registration for the visitor who requested it. */
  async issue(challenge: string, issued: Challenge, visitor: Visitor) {
    await this.store.put(challenge, issued, CHALLENGE_LIFETIME_MS, visitor);
  }

  /** A challenge for any other use, which carries its own proof: nothing is stored until it is presented. */
  async issueFor(use: Use) {
    return makeProvenChallenge(this.key, await readDatabaseClock(this.dataSource), use);
  }

  /** Takes any challenge back, before any other check; undefined unless it is one of registration on this origin. */
  async take(challenge: string, origin: string): Promise<Challenge | undefined> {
    const proven = proveChallenge(this.key, challenge);
    if (proven) await useUp(this.dataSource, challenge, proven);
    const issued = proven ? undefined : await this.store.take(challenge);
    return issued?.origin === origin ? issued : undefined;
  }

  /**
   * Takes any challenge back, before any other check; whether it was issued for this use. One with a valid proof is
   * never looked up in the store, so signing in works without the store.
   */
  async takeFor(challenge: string, use: Use): Promise<boolean> {
    const proven = proveChallenge(this.key, challenge);
    if (proven) return (await useUp(this.dataSource, challenge, proven)) && proven.isFor(use);
    await this.store.take(challenge);
    return false;
  }
}
