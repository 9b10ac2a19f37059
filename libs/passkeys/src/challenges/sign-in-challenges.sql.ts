import { createSecretKey, type KeyObject } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { PreparedStatement, getServiceKey, readDatabaseClock } from '#libs/platform';
import { CHALLENGE_LIFETIME_MS, type SignIn } from './challenge.js';
import { makeProvenChallenge, type ProvenChallenge, proveChallenge } from './proven-challenge.js';

const KEY_NAME = 'sign-in-challenges';

/** The database's clock may be set back, or another server with a clock of its own take its place. */
const AHEAD_MS = 60 * 1000;

/** Remembered for longer than they are good: the clock of the replica that sweeps may be ahead. */
const KEPT_MS = 60 * 60 * 1000;

const TAKE = new PreparedStatement(
  'take-challenge',
  ({ now }) => `
    INSERT INTO taken_challenges (challenge_hash, expires_at)
    SELECT CAST($1 AS varchar(43)), CAST($2 AS bigint)
    WHERE CAST($3 AS bigint) > ${now} AND CAST($4 AS bigint) <= ${now}
    ON CONFLICT DO NOTHING`,
);

/**
 * Challenges for signing in, which anybody may ask for: they carry their own proof, so nothing is
 * stored until one comes back. Their time is the database's, which replicas share.
 */
export class SignInChallenges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly key: KeyObject,
  ) {}

  /** With the key of the service, which is made when there is none yet. */
  static async open(dataSource: DataSource) {
    const key = createSecretKey(await getServiceKey(dataSource, KEY_NAME));
    return new SignInChallenges(dataSource, key);
  }

  /** 32 bytes, good for five minutes. */
  async issue(signIn: SignIn) {
    return makeProvenChallenge(this.key, await readDatabaseClock(this.dataSource), signIn);
  }

  /** What this service issued, used or not; undefined for anything else. Asks no store. */
  prove(challenge: string): ProvenChallenge | undefined {
    return proveChallenge(this.key, challenge);
  }

  /**
   * Whether a proven challenge is good, now and for the first time; in any case it is not good again.
   * Of any number of concurrent calls for one challenge, on any replica, exactly one gets true. Nothing
   * is written for one that has expired. Rejects when it could not be noted down.
   */
  async take(challenge: string, { issuedAt }: ProvenChallenge): Promise<boolean> {
    const { affected } = await TAKE.run(this.dataSource, [
      hashSecret(challenge),
      issuedAt + CHALLENGE_LIFETIME_MS + KEPT_MS,
      issuedAt + CHALLENGE_LIFETIME_MS,
      issuedAt - AHEAD_MS,
    ]);
    return affected === 1;
  }
}
