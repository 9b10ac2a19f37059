import { RefusalError } from '#libs/accounts';

/** The library's words for a failure, and ours: its own quote what the other side sent. */
const REASONS: readonly [RegExp, string][] = [
  [
    /user verification|user could not be verified/i,
    'it did not verify you; set a PIN, fingerprint or face on it',
  ],
  [/user (was )?not present/i, 'it did not see anybody present'],
  [/counter value/i, 'its use counter went backwards, so it may be a copy; use another passkey'],
  [/response origin|RP ID hash/i, 'it answered for another site'],
  [/response type/i, 'it answered another kind of request'],
  [/public key alg|algorithm/i, 'its kind of key is not supported'],
  [/attestation/i, 'its attestation is not accepted'],
  [/backup/i, 'what it says about its backup changed or makes no sense'],
];

/** 400 for a response that does not verify, with the reason when it is one that people can use. */
export function notVerified(cause?: unknown): RefusalError {
  const words = cause instanceof Error ? cause.message : '';
  const reason = REASONS.find(([pattern]) => pattern.test(words))?.[1];
  const message = 'the passkey could not be verified';
  return new RefusalError(400, reason ? `${message}: ${reason}` : message, {}, { cause });
}

export const malformedId = () => new RefusalError(400, 'the passkey id is malformed');
