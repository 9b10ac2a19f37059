import { Injectable } from '@nestjs/common';
import type { Visitor } from '#libs/accounts';
import {
  type Challenge,
  CHALLENGE_LIFETIME_MS,
  ChallengeStore,
  type SignIn,
} from './challenge.store.js';
import { SignInChallenges } from './sign-in-challenge.store.js';

type Issued = Challenge | SignIn;
type Purpose = Issued['purpose'];

/** Issues challenges and takes them back, each once and only for its purpose. */
@Injectable()
export class ChallengesService {
  constructor(
    private readonly store: ChallengeStore,
    private readonly signIns: SignInChallenges,
  ) {}

  /** Stores a challenge of registration for the visitor who requested it. */
  async issue(challenge: string, issued: Challenge, visitor: Visitor) {
    await this.store.put(challenge, issued, CHALLENGE_LIFETIME_MS, visitor);
  }

  /** A challenge of 32 bytes for signing in. Nothing is stored for it. */
  async issueForSignIn(origin: string) {
    return this.signIns.issue({ purpose: 'login', origin });
  }

  /**
   * Takes a challenge back before any other check, so that even a call for another purpose uses it up. Undefined
   * unless it was issued on this origin for one of the purposes.
   */
  async take<P extends Purpose>(challenge: string, origin: string, ...purposes: P[]) {
    const issued = await this.takeAny(challenge, origin);
    if (!issued || issued.origin !== origin || !isFor(issued, purposes)) return undefined;
    return issued;
  }

  /** A challenge with a valid proof is never looked up in the store, so signing in works without the store. */
  private async takeAny(challenge: string, origin: string): Promise<Issued | undefined> {
    const proven = this.signIns.prove(challenge);
    if (!proven) return this.store.take(challenge);
    const signIn: SignIn = { purpose: 'login', origin };
    const isGood = await this.signIns.take(challenge, proven);
    return isGood && proven.isFor(signIn) ? signIn : undefined;
  }
}

const isFor = <P extends Purpose>(
  issued: Issued,
  purposes: P[],
): issued is Extract<Issued, { purpose: P }> => purposes.some((p) => p === issued.purpose);
