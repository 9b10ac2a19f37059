import { generateReadableCode, inGroups } from '../readable-code.js';

const CODE_LENGTH = 20;

/** Of what is typed: the code, its dashes, and what came along when it was copied. */
export const MAX_INVITE_LENGTH = 64;

/** 100 random bits to hand to somebody, in five groups: `7Q2M-X0VK-…`. */
export const generateInviteCode = () => inGroups(generateReadableCode(CODE_LENGTH));
