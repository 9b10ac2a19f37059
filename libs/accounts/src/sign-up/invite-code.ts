import { generateReadableCode, inGroups } from '../secret.js';

const CODE_LENGTH = 20;

/** Maximum length of the typed text: the code, its dashes, and what was copied with it. */
export const MAX_INVITE_LENGTH = 64;

/** 100 random bits in five groups, to give to a person: `7Q2M-X0VK-…`. */
export const generateInviteCode = () => inGroups(generateReadableCode(CODE_LENGTH));
