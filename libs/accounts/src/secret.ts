import { hash, randomBytes, timingSafeEqual } from 'node:crypto';

/** The hash that is stored instead of a token, code, handle or secret: SHA-256 as base64url. */
export const hashSecret = (secret: string) => hash('sha256', secret, 'base64url');

/** A random id that grants nothing: 128 bits as base64url. */
export const generateId = () => randomBytes(16).toString('base64url');

/** Whether a presented secret matches a stored hash, in constant time. */
export function compareSecret(presented: string, secretHash: string): boolean {
  const actual = Buffer.from(hashSecret(presented));
  const expected = Buffer.from(secretHash);
  return expected.length === actual.length && timingSafeEqual(actual, expected);
}

/** Digits and letters without I, L, O and U (Crockford's base 32), so that no two look alike. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Five random bits per character, without bias: 256 byte values are a multiple of the alphabet's 32. */
export const generateReadableCode = (length: number) =>
  Array.from(randomBytes(length), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');

/** In groups of four to read out: `7Q2M-X0VK-…`. */
export const inGroups = (code: string) => code.replace(/.{4}(?=.)/g, '$&-');

/** Of a typed code. NFKC sorts each run of combining marks, so only short texts are normalised. */
const MAX_TYPED_LENGTH = 256;

/** The stored hash of a typed code: of the characters of codes alone, after NFKC, I, L and O read as digits. */
export const hashReadableCode = (typed: string) =>
  hashSecret(typed.length > MAX_TYPED_LENGTH ? '' : readableCodeIn(typed));

const readableCodeIn = (typed: string) =>
  typed
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[IL]/g, '1')
    .replace(/O/g, '0')
    .replace(/[^0-9A-TV-Z]/g, '');
