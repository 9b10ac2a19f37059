import { randomBytes } from 'node:crypto';
import { hashSecret } from './sessions/secret-hash.js';

/** Digits and letters without I, L, O and U (Crockford's base 32), so that none is taken for another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** Five random bits a character: a byte has a whole number of times as many values as the alphabet. */
export const generateReadableCode = (length: number) =>
  Array.from(randomBytes(length), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');

/** In groups of four to read out: `7Q2M-X0VK-…`. */
export const inGroups = (code: string) => code.replace(/.{4}(?=.)/g, '$&-');

/**
 * What is stored in place of a code. Case, white space and dashes of what was typed do not count, and
 * I, L and O are the digits that they look like.
 */
export const hashReadableCode = (typed: string) =>
  hashSecret(
    typed
      .replace(/[\s\p{Dash}]/gu, '')
      .toUpperCase()
      .replace(/[IL]/g, '1')
      .replace(/O/g, '0'),
  );
