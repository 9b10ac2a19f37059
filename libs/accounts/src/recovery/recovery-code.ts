import { generateReadableCode, hashReadableCode, inGroups } from '../secret.js';

const CODE_LENGTH = 24;
const LINK_CODE_LENGTH = 32;

/** How many codes a person has at a time. */
export const CODES_PER_USER = 10;

/** Lifetime of an administrator's link. */
export const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** 120 random bits in six groups, for a user to write down: `7Q2M-X0VK-…`. */
export const generateRecoveryCode = () => inGroups(generateReadableCode(CODE_LENGTH));

/** 160 random bits for the fragment of an administrator's link. */
export const generateLinkCode = () => generateReadableCode(LINK_CODE_LENGTH);

/** The hash that is stored instead of a code; independent of how the code is typed. */
export const hashRecoveryCode = hashReadableCode;
