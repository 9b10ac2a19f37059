import {
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { calculateJwkThumbprint } from 'jose';
import { isJsonObject, parseJson } from '#libs/platform/json';

/** How JWT access tokens are signed (RFC 7518 §3.1, RFC 8037 §3.1); never by a symmetric algorithm. */
export const SIGNING_ALGORITHMS = ['ES256', 'EdDSA'] as const;

export type SigningAlgorithm = (typeof SIGNING_ALGORITHMS)[number];

/** A key that signs access tokens; times in epoch seconds. */
export interface SigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  /** It signs from this time until another key does. It is published from the beginning. */
  readonly signsFrom: number;
  /** It is published until this time; a key without it does not retire. */
  readonly retireAfter?: number;
  readonly key: KeyObject;
}

/** The keys, at least one, by the time from which they sign; or what is wrong with them, as the end of a sentence. */
export type SigningKeysFound =
  | { readonly keys: readonly SigningKey[]; readonly fault?: never }
  | { readonly keys?: never; readonly fault: string };

export interface SigningOptions {
  /** Reads the keys that sign access tokens; a fault is a whole line. Without it there are no JWT access tokens. */
  readonly readSigningKeys?: (() => SigningKeysFound) | undefined;
}

/** Lifetime of access tokens that are JWTs: a server that only checks the signature accepts a revoked one until then. */
export const JWT_LIFETIME_MS = 10 * 60_000;

const MAX_KEYS = 20;
const HOUR = 60 * 60;
const DAY = 24 * HOUR;

/** A key is published this long before it signs, so that resource servers and replicas have it in time. */
const PUBLISHED_BEFORE = HOUR;

/** How long a key stays published after the next one begins to sign: until a day after its last token expired. */
const PUBLISHED_AFTER = JWT_LIFETIME_MS / 1000 + DAY;

const KID = /^[A-Za-z0-9_-]{1,64}$/;

const MEMBERS =
  'a kid, alg ES256 or EdDSA with a private key for it, signsFrom and, where it retires, a later retireAfter';

/** Reads a private key set (RFC 7517 §5) whose keys have `signsFrom` and `retireAfter`. A fault repeats nothing of it. */
export function parseSigningKeys(text: string): SigningKeysFound {
  const set = parseJson(text);
  const entries = isJsonObject(set) ? set['keys'] : undefined;
  if (!Array.isArray(entries)) return { fault: 'that is not a JSON Web Key Set' };
  if (entries.length === 0 || entries.length > MAX_KEYS) {
    return { fault: `that does not have 1 to ${MAX_KEYS} keys` };
  }
  const read = entries.map(signingKey);
  const wrong = read.indexOf(undefined);
  if (wrong >= 0) return { fault: `whose key ${wrong + 1} does not have ${MEMBERS}` };
  const keys = read.filter((key) => key !== undefined).toSorted(bySignsFrom);
  if (new Set(keys.map(({ kid }) => kid)).size < keys.length) {
    return { fault: 'that has one kid twice' };
  }
  if (keys.some(({ retireAfter = Infinity }, at) => retireAfter <= takenOverAt(keys, at))) {
    return { fault: 'one of whose keys retires before the next one signs' };
  }
  return { keys };
}

const bySignsFrom = (a: SigningKey, b: SigningKey) => a.signsFrom - b.signsFrom;

/** When the next key begins to sign. The last key never stops signing, so it must not retire. */
const takenOverAt = (keys: readonly SigningKey[], at: number) =>
  keys[at + 1]?.signsFrom ?? Number.MAX_SAFE_INTEGER;

function signingKey(entry: unknown): SigningKey | undefined {
  if (!isJsonObject(entry)) return undefined;
  const { kid, alg: name, signsFrom, retireAfter, ...jwk } = entry;
  const alg = SIGNING_ALGORITHMS.find((algorithm) => algorithm === name);
  if (typeof kid !== 'string' || !KID.test(kid) || !alg || !isTime(signsFrom)) return undefined;
  const key = privateKey(jwk, alg);
  if (!key) return undefined;
  if (retireAfter === undefined) return { kid, alg, signsFrom, key };
  return isTime(retireAfter) ? { kid, alg, signsFrom, retireAfter, key } : undefined;
}

const isTime = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) > 0;

function privateKey(jwk: JsonWebKey, alg: SigningAlgorithm): KeyObject | undefined {
  try {
    const key = createPrivateKey({ key: jwk, format: 'jwk' });
    const { crv } = createPublicKey(key).export({ format: 'jwk' });
    return crv === CURVES[alg] && isPair(key) ? key : undefined;
  } catch {
    return undefined;
  }
}

/** The import of an EC key does not compare its two parts. */
function isPair(key: KeyObject): boolean {
  const data = Buffer.from('signed and verified');
  return verify(null, data, createPublicKey(key), sign(null, data, key));
}

const CURVES = { ES256: 'P-256', EdDSA: 'Ed25519' } as const;

/** The key that signs at a time: of those whose time has come the latest; before all of them the first. */
export const signerAt = (keys: readonly SigningKey[], now: number): SigningKey | undefined =>
  keys.findLast(({ signsFrom }) => signsFrom <= now) ?? keys[0];

/** The keys that are published at a time: those that do not sign yet, and those that signed, until they retire. */
export const publishedAt = (keys: readonly SigningKey[], now: number): readonly SigningKey[] =>
  keys.filter(({ retireAfter = Infinity }) => now < retireAfter);

const jwkOf = ({ kid, alg }: SigningKey, key: KeyObject): JsonWebKey => ({
  ...key.export({ format: 'jwk' }),
  kid,
  alg,
  use: 'sig',
});

/** The public part of a key as the key set has it (RFC 7517 §4). */
export const publicJwk = (key: SigningKey) => jwkOf(key, createPublicKey(key.key));

export const privateJwk = (key: SigningKey) => jwkOf(key, key.key);

/** Generates a key pair; its id is its thumbprint (RFC 7638). */
export async function generateSigningKey(
  alg: SigningAlgorithm,
): Promise<Pick<SigningKey, 'kid' | 'alg' | 'key'>> {
  const { privateKey: key } =
    alg === 'ES256'
      ? generateKeyPairSync('ec', { namedCurve: 'P-256' })
      : generateKeyPairSync('ed25519');
  return { kid: await calculateJwkThumbprint(key), alg, key };
}

/**
 * The keys with one more, without those that have retired. The first key signs at once, another one in an hour; those
 * before it retire when the last token that they may have signed has been expired for a day.
 */
export function withNewKey(
  keys: readonly SigningKey[],
  fresh: Pick<SigningKey, 'kid' | 'alg' | 'key'>,
  now: number,
): readonly SigningKey[] {
  const last = keys.at(-1);
  const signsFrom = last ? Math.max(now + PUBLISHED_BEFORE, last.signsFrom + 1) : now;
  const retireAfter = signsFrom + PUBLISHED_AFTER;
  return [
    ...publishedAt(keys, now).map((key) => Object.assign({ retireAfter }, key)),
    { ...fresh, signsFrom },
  ];
}

/** The text of a file with these keys, private parts included. */
export const signingKeysText = (keys: readonly SigningKey[]): string =>
  `${JSON.stringify(
    {
      keys: keys.map((key) => ({
        ...privateJwk(key),
        signsFrom: key.signsFrom,
        retireAfter: key.retireAfter,
      })),
    },
    null,
    2,
  )}\n`;
