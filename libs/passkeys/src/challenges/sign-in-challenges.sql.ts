import { createSecretKey, type KeyObject } from 'node:crypto';
import type { DataSource } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { PreparedStatement, getServiceKey, readDatabaseClock } from '#libs/platform';
import { CHALLENGE_LIFETIME_MS, type SignIn } from './challenge.js';
import { makeProvenChallenge, type ProvenChallenge, proveChallenge } from './proven-challenge.js';

const KEY_NAME = 'sign-in-challenges';

/** Tolerance for a database clock that is set back, or for a failover to a server with another clock. */
const AHEAD_MS = 60 * 1000;

/** Taken challenges are kept longer than they are valid: the clock of the replica that sweeps may be ahead. */
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
 * Challenges for signing in, which any client may request: they carry their own proof, so nothing is stored until
 * one is presented. Time is that of the database, which all replicas share.
 */
export class SignInChallenges {
  constructor(
    private readonly dataSource: DataSource,
    private readonly key: KeyObject,
  ) {}

  /** Reads the key of the service, which is created on first use. */
  static async open(dataSource: DataSource) {
    const key = createSecretKey(await getServiceKey(dataSource, KEY_NAME));
    return new SignInChallenges(dataSource, key);
  }

  /** 32 bytes, valid for five minutes. */
  async issue(signIn: SignIn) {
    return makeProvenChallenge(this.key, await readDatabaseClock(this.dataSource), signIn);
  }

  /** The challenge if this service issued it, used or not; undefined for anything else. Reads no store. */
  prove(challenge: string): ProvenChallenge | undefined {
    return proveChallenge(this.key, challenge);
  }

  /**
   * Whether a proven challenge is valid now and presented for the first time; later calls get false. Of any number
   * of concurrent calls for one challenge, on any replica, exactly one gets true. Nothing is written for an expired
   * one. Rejects when the use could not be recorded.
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
