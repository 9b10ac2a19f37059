import { randomBytes } from 'node:crypto';
import { hashSecret } from '../sessions/secret-hash.js';

/** Digits and letters without I, L, O and U (Crockford's base 32), so that none is taken for another. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 24;
const LINK_CODE_LENGTH = 32;

/** How many codes a person has at a time. */
export const CODES_PER_USER = 10;

/** How long an administrator's link is good. */
export const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** 120 random bits for a person to write down, in six groups: `7Q2M-X0VK-…`. */
export const generateRecoveryCode = () => characters(CODE_LENGTH).replace(/.{4}(?=.)/g, '$&-');

/** 160 random bits for the fragment of an administrator's link. */
export const generateLinkCode = () => characters(LINK_CODE_LENGTH);

/**
 * What is stored in place of a code. Case, white space and dashes of what was typed do not count, and
 * I, L and O are the digits that they look like.
 */
export const hashRecoveryCode = (typed: string) =>
  hashSecret(
    typed
      .replace(/[\s\p{Dash}]/gu, '')
      .toUpperCase()
      .replace(/[IL]/g, '1')
      .replace(/O/g, '0'),
  );

/** Five random bits each: a byte has a whole number of times as many values as the alphabet. */
const characters = (count: number) =>
  Array.from(randomBytes(count), (byte) => ALPHABET.charAt(byte % ALPHABET.length)).join('');
