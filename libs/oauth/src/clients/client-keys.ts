import { createPublicKey, type JsonWebKey } from 'node:crypto';
import { type JsonObject, isJsonObject } from '#libs/platform';
import { invalidMetadata } from './client-metadata.error.js';

export interface ClientKeys {
  readonly keys: readonly JsonObject[];
}

const MAX_KEYS = 20;
const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'];
const TEXT_MEMBERS = new Set('kty crv x y n e kid use alg x5t x5t#S256'.split(' '));
const LIST_MEMBERS = new Set(['key_ops', 'x5c']);
const RSA_BITS = { least: 2048, most: 8192 };

/**
 * The public keys of a client (RFC 7517 §5), 1 to 20 of them, with only those members that RFC 7517
 * and RFC 7518 define and that have the right type. Throws ClientMetadataError.
 */
export function clientKeys(jwks: unknown): ClientKeys {
  const keys = isJsonObject(jwks) ? jwks['keys'] : undefined;
  if (!Array.isArray(keys) || keys.length === 0 || keys.length > MAX_KEYS) {
    throw invalidMetadata(`jwks must have 1 to ${MAX_KEYS} keys`);
  }
  return { keys: keys.map(publicKey) };
}

function publicKey(key: unknown): JsonObject {
  if (!isJsonObject(key)) throw invalidMetadata('jwks must have an object for each key');
  if (PRIVATE_MEMBERS.some((member) => member in key)) {
    throw invalidMetadata('jwks must have public keys only');
  }
  const known = knownMembers(key);
  if (!isUsable(known)) {
    throw invalidMetadata('jwks must have valid RSA (2048 to 8192 bit), EC or OKP keys only');
  }
  return known;
}

const knownMembers = (key: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(key).filter(
      ([member, value]) =>
        (TEXT_MEMBERS.has(member) && typeof value === 'string') ||
        (LIST_MEMBERS.has(member) && isTextList(value)),
    ),
  );

const isTextList = (value: unknown) =>
  Array.isArray(value) && value.every((entry) => typeof entry === 'string');

function isUsable(key: JsonObject) {
  try {
    const imported = createPublicKey({ key: key as JsonWebKey, format: 'jwk' });
    const bits = imported.asymmetricKeyDetails?.modulusLength;
    return bits === undefined || (bits >= RSA_BITS.least && bits <= RSA_BITS.most);
  } catch {
    return false;
  }
}
