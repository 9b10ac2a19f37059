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

/**
 * The hash that is stored instead of a code. Ignores case, white space and dashes of the typed code, and reads I, L
 * and O as the digits that they resemble.
 */
export const hashReadableCode = (typed: string) =>
  hashSecret(
    typed
      .replace(/[\s\p{Dash}]/gu, '')
      .toUpperCase()
      .replace(/[IL]/g, '1')
      .replace(/O/g, '0'),
  );
