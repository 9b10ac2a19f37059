const MAX_CLIENT_DATA_LENGTH = 4096;

/** The members of `clientDataJSON` that are ours to judge (WebAuthn L3 §5.8.1). */
export interface ClientData {
  readonly challenge: string;
  /** Made inside a frame of another origin, or says so oddly. */
  readonly framed: boolean;
}

/**
 * Reads the client data of a ceremony response: base64url of JSON, at most 4096 characters, with a
 * well-formed challenge. Undefined for anything else, so no challenge is looked up for it.
 */
export function readClientData(body: Readonly<Record<string, unknown>>): ClientData | undefined {
  const encoded = isObject(body['response']) ? body['response']['clientDataJSON'] : undefined;
  if (typeof encoded !== 'string' || encoded.length > MAX_CLIENT_DATA_LENGTH) return undefined;
  if (!/^[A-Za-z0-9_-]+$/.test(encoded)) return undefined;
  const data = parseJson(encoded);
  if (!isObject(data) || !isChallenge(data['challenge'])) return undefined;
  const { challenge, crossOrigin, topOrigin } = data;
  const framed = (crossOrigin ?? false) !== false || topOrigin !== undefined;
  return { challenge, framed };
}

const isChallenge = (value: unknown): value is string =>
  typeof value === 'string' && /^[A-Za-z0-9_-]{43}$/.test(value);

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function parseJson(encoded: string): unknown {
  try {
    return JSON.parse(Buffer.from(encoded, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}
