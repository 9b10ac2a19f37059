import type { OwnOrigin } from '#libs/accounts';
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
