import { type OwnOrigin, RefusalError, type SecurityEvent, type Session } from '#libs/accounts';
import { type JsonObject, isJsonObject, parseJson } from '#libs/platform';

/** The client of a ceremony: the session that the request carried, and the browser's display name. */
export interface SeenBrowser {
  readonly session: Session | undefined;
  readonly browser: string | null;
}

const MAX_CLIENT_DATA_LENGTH = 4096;

/** The members of `clientDataJSON` that this service checks itself (WebAuthn L3 §5.8.1). */
export interface ClientData {
  readonly challenge: string;
  /** True when the response was made inside a frame of another origin, or when the member is malformed. */
  readonly framed: boolean;
  /** The origin that the client data names; not checked yet. */
  readonly origin: unknown;
}

/**
 * Reads the client data of a ceremony response: base64url of JSON, at most 4096 characters, with a well-formed
 * challenge. Undefined for anything else, so that no challenge is looked up for it.
 */
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

/**
 * What both ceremonies expect of a response (WebAuthn L3 §7.1, §7.2), as options of the library. Throws for client
 * data from a frame: no page of ours begins a ceremony in one.
 */
export function expectedOf({ challenge, framed }: ClientData, party: OwnOrigin) {
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

/** The event of a new account, with the session that it ended and the invite that it used. */
export function eventOfSignUp(
  happened: Pick<SecurityEvent, 'origin' | 'userId'>,
  ended: Session | undefined,
  inviteId: string | undefined,
): SecurityEvent {
  const said =
    inviteId === undefined ? {} : { detail: `invite ${inviteId}`, facts: { invite: inviteId } };
  return { type: 'sign-up', ...happened, ...said, endedSessions: ended ? [ended] : [] };
}

/** The event of a failed sign-in; undefined for an error of the service itself. */
export function eventOfFailedSignIn(error: unknown, origin: string): SecurityEvent | undefined {
  if (error instanceof CounterReversedError) {
    return { type: 'signature-counter-reversed', userId: error.userId, origin };
  }
  if (!isRefusal(error)) return undefined;
  const userId = error instanceof OwnerRefusedError ? error.userId : null;
  return { type: 'sign-in-failed', userId, origin, detail: error.message };
}

/** The event of a refused new passkey; undefined for an error of the service itself. */
export function eventOfRefusedPasskey(error: unknown, origin: string): SecurityEvent | undefined {
  return isRefusal(error)
    ? { type: 'passkey-refused', userId: null, origin, detail: error.message }
    : undefined;
}

const isRefusal = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && error.status < 500;
