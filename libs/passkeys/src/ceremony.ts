import { type OwnOrigin, RefusalError } from '#libs/accounts';
import { type JsonObject, isJsonObject, parseJson } from '#libs/platform';

const MAX_CLIENT_DATA_LENGTH = 4096;

/** The members of `clientDataJSON` that this service checks itself (WebAuthn L3 §5.8.1). */
export interface ClientData {
  readonly challenge: string;
  /** True when the response was made inside a frame of another origin, or when the member is malformed. */
  readonly framed: boolean;
  /** The origin that the client data names; not checked yet. */
  readonly origin: unknown;
}

/** Reads client data: base64url of JSON, at most 4096 characters, with a well-formed challenge; else undefined. */
export function readClientData(body: JsonObject): ClientData | undefined {
  const encoded = isJsonObject(body['response']) ? body['response']['clientDataJSON'] : undefined;
  if (typeof encoded !== 'string' || encoded.length > MAX_CLIENT_DATA_LENGTH) return undefined;
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return undefined;
  const data = parseJson(Buffer.from(encoded, 'base64url').toString('utf8'));
  if (!isJsonObject(data) || !isChallenge(data['challenge'])) return undefined;
  const { challenge, crossOrigin, origin, topOrigin } = data;
  const framed = (crossOrigin ?? false) !== false || topOrigin !== undefined;
  return { challenge, framed, origin };
}

/** What both ceremonies expect (WebAuthn L3 §7.1, §7.2). Throws for client data from a frame: ours begin in none. */
export function expectedOf(
  { challenge, framed }: ClientData,
  party: Pick<OwnOrigin, 'origin' | 'hostname'>,
) {
  if (framed) throw new Error('Unexpected response origin');
  return {
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.hostname,
    requireUserVerification: true,
  };
}

const isChallenge = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value);

/** The library's error messages and our own texts for them: the library's quote what the client sent. */
const REASONS: readonly [RegExp, string][] = [
  [
    /user verification|user could not be verified/i,
    'it did not verify that it was you; set up a PIN, fingerprint or face for it',
  ],
  [/user (was )?not present/i, 'it did not detect anyone present; try again and touch it'],
  [
    /^signature-counter-reversed/,
    'its use counter started over, so it may be a copy; use another passkey or a recovery code, or ask an administrator of this service for a recovery link',
  ],
  [
    /^backup-eligibility-changed/,
    'its backup status changed, so it may not be the same; use another passkey or a recovery code, or ask an administrator of this service for a recovery link',
  ],
  [/response origin|RP ID hash/i, 'it answered for another site; reload this page and try again'],
  [/response type/i, 'it answered a different kind of request; try again'],
  [/public key alg|algorithm/i, 'its type of key is not supported; use another passkey'],
  [/attestation/i, 'its attestation is not accepted; use another passkey'],
  [/backup/i, 'its backup status is not valid; use another passkey'],
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

export const malformedId = () =>
  new RefusalError(400, 'the passkey id is malformed; try again, or use another passkey');
