import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { invalidMetadata } from './client-metadata.error.js';
import { isObject, type JsonObject } from './json-members.js';

export interface ClientKeys {
  readonly keys: readonly JsonObject[];
}

const MAX_KEYS = 20;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];
const RSA_BITS = { least: 2048, most: 8192 };

/** The public keys of a client (RFC 7517 §5), 1 to 20 of them. Throws ClientMetadataError. */
export function clientKeys(jwks: unknown): ClientKeys {
  const keys = isObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) {
    throw invalidMetadata(`jwks must have 1 to ${MAX_KEYS} keys`);
  }
  return { keys: keys.map(publicKey) };
}

function publicKey(key: unknown): JsonObject {
  if (!isObject(key)) throw invalidMetadata('jwks must have an object for each key');
  if (PRIVATE_MEMBERS.some((member) => member in key)) {
    throw invalidMetadata('jwks must have public keys only');
  }
  if (!isUsable(key)) {
    throw invalidMetadata('jwks must have valid RSA (2048 to 8192 bit), EC or OKP keys only');
  }
  return key;
}

function isUsable(key: JsonObject) {
  try {
    const imported = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    const bits = imported.asymmetricKeyDetails?.modulusLength;
    return bits === undefined || (bits >= RSA_BITS.least && bits <= RSA_BITS.most);
  } catch {
    return false;
  }
}
