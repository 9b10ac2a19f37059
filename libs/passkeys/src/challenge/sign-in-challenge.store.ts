import { createHmac, type KeyObject, randomBytes, timingSafeEqual } from 'node:crypto';
import { Column, type DataSource, Entity, Index, PrimaryColumn } from 'typeorm';
import { hashSecret } from '#libs/accounts';
import { PreparedStatement, wholeNumber } from '#libs/platform';
import { CHALLENGE_LIFETIME_MS } from './challenge.store.js';

/** A sign-in challenge that was presented. A second insert fails, so that each is used once. */
@Entity('taken_challenges')
export class TakenChallengeEntity {
  @PrimaryColumn('varchar', { name: 'challenge_hash', length: 43 })
  challengeHash!: string;

  @Index('taken_challenges_expires_at')
  @Column('bigint', { name: 'expires_at', transformer: wholeNumber })
  expiresAt!: number;
}

/** A challenge consists of seconds since 1970, randomness, its use and a proof over all of these: 32 bytes. */
const TIME_BYTES = 4;
const NONCE_BYTES = 8;
const USE_BYTES = 8;
const PROOF_BYTES = 12;

const HEAD_BYTES = TIME_BYTES + NONCE_BYTES;
const CHALLENGE_BYTES = HEAD_BYTES + USE_BYTES + PROOF_BYTES;

/** What a challenge is for, and the origin that it was made on. */
export interface Use {
  readonly purpose: string;
  readonly origin: string;
}

/** A challenge with a valid proof: this service made it. */
export interface ProvenChallenge {
  /** Epoch milliseconds, a whole second. */
  readonly issuedAt: number;
  isFor(use: Use): boolean;
}

/** A challenge with a proof and, as a keyed hash, its use, so that it need not be stored. */
export function makeProvenChallenge(key: KeyObject, issuedAt: number, use: Use) {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeUInt32BE(Math.floor(issuedAt / 1000));
  const head = Buffer.concat([time, randomBytes(NONCE_BYTES)]);
  const content = Buffer.concat([head, useIn(key, head, use)]);
  return Buffer.concat([content, proofOf(key, content)]);
}

/** Undefined unless this is, character by character, the base64url of a challenge that was made with the key. */
export function proveChallenge(key: KeyObject, challenge: string): ProvenChallenge | undefined {
  const bytes = Buffer.from(challenge, 'base64url');
  // The last of 43 characters has two unused bits: without this check each challenge would have four spellings.
  if (bytes.length !== CHALLENGE_BYTES || bytes.toString('base64url') !== challenge)
    return undefined;
  const content = bytes.subarray(0, -PROOF_BYTES);
  if (!timingSafeEqual(bytes.subarray(-PROOF_BYTES), proofOf(key, content))) return undefined;
  const head = content.subarray(0, HEAD_BYTES);
  return {
    issuedAt: bytes.readUInt32BE(0) * 1000,
    isFor: (use) => timingSafeEqual(content.subarray(HEAD_BYTES), useIn(key, head, use)),
  };
}

const proofOf = (key: KeyObject, content: Buffer) => macOf(key, 'proof', content, PROOF_BYTES);

const useIn = (key: KeyObject, head: Buffer, { purpose, origin }: Use) =>
  macOf(key, `use\n${purpose}\n${origin}\n`, head, USE_BYTES);

const macOf = (key: KeyObject, label: string, content: Buffer, length: number) =>
  createHmac('sha256', key).update(label).update(content).digest().subarray(0, length);

/** Tolerance for a database clock that is set back, or for a failover to a server with another clock. */
const AHEAD_MS = 60 * 1000;

/** Taken challenges are kept longer than they are valid: the clock of the replica that sweeps may be ahead. */
const KEPT_MS = 60 * 60 * 1000;

const TAKE = new PreparedStatement<'challengeHash' | 'keptUntil' | 'validUntil' | 'validFrom'>(
  'take-challenge',
  ({ now }) => `
    INSERT INTO taken_challenges (challenge_hash, expires_at)
    SELECT CAST(:challengeHash AS varchar(43)), CAST(:keptUntil AS bigint)
    WHERE CAST(:validUntil AS bigint) > ${now} AND CAST(:validFrom AS bigint) <= ${now}
    ON CONFLICT DO NOTHING`,
);

/** Whether a proven challenge is valid by the database's clock, and new; of concurrent calls one gets true. */
export async function useUp(
  dataSource: DataSource,
  challenge: string,
  { issuedAt }: ProvenChallenge,
): Promise<boolean> {
  const { affected } = await TAKE.run(dataSource, {
    challengeHash: hashSecret(challenge),
    keptUntil: issuedAt + CHALLENGE_LIFETIME_MS + KEPT_MS,
    validUntil: issuedAt + CHALLENGE_LIFETIME_MS,
    validFrom: issuedAt - AHEAD_MS,
  });
  return affected === 1;
}
