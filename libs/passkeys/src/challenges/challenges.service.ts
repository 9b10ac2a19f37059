import { Injectable } from '@nestjs/common';
import { CHALLENGE_LIFETIME_MS, type Challenge } from './challenge.js';
import { ChallengeStore } from './challenge-store.js';

type Purpose = Challenge['purpose'];

/** Issues challenges and takes them back, each once and only for what it was issued for. */
@Injectable()
export class ChallengesService {
  constructor(private readonly store: ChallengeStore) {}

  async issue(challenge: string, issued: Challenge) {
    await this.store.put(challenge, issued, CHALLENGE_LIFETIME_MS);
  }

  /**
   * Takes a challenge back before anything else is looked at, so it is used up even by a call for
   * another purpose. Undefined unless it was issued on this origin for one of the purposes.
   */
  async take<P extends Purpose>(challenge: string, origin: string, ...purposes: P[]) {
    const issued = await this.store.take(challenge);
    if (!issued || issued.origin !== origin || !isFor(issued, purposes)) return undefined;
    return issued;
  }
}

const isFor = <P extends Purpose>(
  issued: Challenge,
  purposes: P[],
): issued is Extract<Challenge, { purpose: P }> => purposes.some((p) => p === issued.purpose);
