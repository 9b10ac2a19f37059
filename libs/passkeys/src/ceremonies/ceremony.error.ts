import { RefusalError } from '#libs/accounts';

/** The library's error messages and our own texts for them: the library's quote what the client sent. */
const REASONS: readonly [RegExp, string][] = [
  [
    /user verification|user could not be verified/i,
    'it did not verify that it was you; set up a PIN, fingerprint or face for it',
  ],
  [/user (was )?not present/i, 'it did not detect anyone present; try again and touch it'],
  [/counter value/i, 'its use counter went backwards, so it may be a copy; use another passkey'],
  [/response origin|RP ID hash/i, 'it answered for another site; reload this page and try again'],
  [/response type/i, 'it answered a different kind of request; try again'],
  [/public key alg|algorithm/i, 'its type of key is not supported; use another passkey'],
  [/attestation/i, 'its attestation is not accepted; use another passkey'],
  [
    /backup/i,
    'its backup status changed or is not valid; use another passkey, or create a new one',
  ],
  [/^signature$/, 'its signature is not valid; use another passkey'],
  [/^signed in twice/, 'it was used twice at the same time; try again'],
];
const NO_REASON = 'its answer is not valid; try again, or use another passkey';

/** 400 for a response that does not verify, with a reason that users understand and what to do next. */
export function notVerified(cause?: unknown): RefusalError {
  const words = cause instanceof Error ? cause.message : '';
  const reason = REASONS.find(([pattern]) => pattern.test(words))?.[1] ?? NO_REASON;
  return new RefusalError(400, `the passkey could not be verified: ${reason}`, {}, { cause });
}

/**
 * 400: the passkey was verified, but its signature counter is not greater than the last one seen: it, or what was
 * stored of it, is a copy (WebAuthn L3 §7.2, step 22).
 */
export class CounterReversedError extends RefusalError {
  constructor(readonly userId: string) {
    super(400, notVerified(new Error('counter value')).message);
  }
}

/** A refusal after the client has proved to be this user. */
export class OwnerRefusedError extends RefusalError {
  constructor(
    readonly userId: string,
    { status, message }: RefusalError,
  ) {
    super(status, message);
  }
}

export const malformedId = () =>
  new RefusalError(400, 'the passkey id is malformed; try again, or use another passkey');
