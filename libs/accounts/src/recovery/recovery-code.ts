import { generateReadableCode, hashReadableCode, inGroups } from '../readable-code.js';

const CODE_LENGTH = 24;
const LINK_CODE_LENGTH = 32;

/** How many codes a person has at a time. */
export const CODES_PER_USER = 10;

/** How long an administrator's link is good. */
export const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/** 120 random bits for a person to write down, in six groups: `7Q2M-X0VK-…`. */
export const generateRecoveryCode = () => inGroups(generateReadableCode(CODE_LENGTH));

/** 160 random bits for the fragment of an administrator's link. */
export const generateLinkCode = () => generateReadableCode(LINK_CODE_LENGTH);

/** What is stored in place of a code, however it was typed. */
export const hashRecoveryCode = hashReadableCode;
