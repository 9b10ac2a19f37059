import type { KeyObject } from 'node:crypto';
import type { DataSource } from 'typeorm';
import type { Visitor } from '#libs/accounts';
import { getServiceKey, readDatabaseClock } from '#libs/platform';
import {
  type Challenge,
  CHALLENGE_LIFETIME_MS,
  ChallengeStore,
  type Confirmation,
  type SignIn,
} from './challenge.store.js';
import {
  makeProvenChallenge,
  type ProvenChallenge,
  proveChallenge,
  type Use,
  useUp,
} from './sign-in-challenge.store.js';

const KEY_NAME = 'sign-in-challenges';

type Issued = Challenge | SignIn;
type Purpose = Issued['purpose'];

/** Issues challenges and takes them back, each once and only for its purpose. */
export class ChallengesService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly store: ChallengeStore,
    private readonly key: KeyObject,
  ) {}

  /** Reads the key that proves sign-in challenges, which is created on first use. */
  static async open(dataSource: DataSource, store: ChallengeStore) {
    return new ChallengesService(dataSource, store, await getServiceKey(dataSource, KEY_NAME));
  }

  /** Stores a challenge of registration for the visitor who requested it. */
  async issue(challenge: string, issued: Challenge, visitor: Visitor) {
    await this.store.put(challenge, issued, CHALLENGE_LIFETIME_MS, visitor);
  }

  /** A challenge for signing in, which carries its own proof: nothing is stored until it is presented. */
  issueForSignIn(origin: string) {
    return this.makeProven({ purpose: 'login', origin });
  }

  /** A challenge that carries its own proof, as those for signing in. */
  issueForConfirmation(confirmation: Confirmation) {
    return this.makeProven(useOf(confirmation));
  }

  /** Takes a challenge back before any other check; undefined unless issued on this origin for such a purpose. */
  async take<P extends Purpose>(challenge: string, origin: string, ...purposes: P[]) {
    const issued = await this.takeAny(challenge, origin);
    if (!issued || issued.origin !== origin || !isFor(issued, purposes)) return undefined;
    return issued;
  }

  /** Takes a challenge back before any other check; whether it was issued for this confirmation. */
  async takeForConfirmation(challenge: string, confirmation: Confirmation): Promise<boolean> {
    const proven = proveChallenge(this.key, challenge);
    if (proven) return this.takeProven(challenge, proven, useOf(confirmation));
    await this.store.take(challenge);
    return false;
  }

  /** A challenge with a valid proof is never looked up in the store, so signing in works without the store. */
  private async takeAny(challenge: string, origin: string): Promise<Issued | undefined> {
    const proven = proveChallenge(this.key, challenge);
    if (!proven) return this.store.take(challenge);
    const signIn: SignIn = { purpose: 'login', origin };
    return (await this.takeProven(challenge, proven, signIn)) ? signIn : undefined;
  }

  private async makeProven(use: Use) {
    return makeProvenChallenge(this.key, await readDatabaseClock(this.dataSource), use);
  }

  /** Uses the challenge up, also when it was issued for another use. */
  private async takeProven(challenge: string, proven: ProvenChallenge, use: Use) {
    const isFirst = await useUp(this.dataSource, challenge, proven);
    return isFirst && proven.isFor(use);
  }
}

/** Ids and origins have no line breaks, so no two confirmations have one text. */
const useOf = ({ origin, userId, subject }: Confirmation): Use => ({
  purpose: `confirm\n${userId}\n${subject}`,
  origin,
});

const isFor = <P extends Purpose>(
  issued: Issued,
  purposes: P[],
): issued is Extract<Issued, { purpose: P }> => purposes.some((p) => p === issued.purpose);
