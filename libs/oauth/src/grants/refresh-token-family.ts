/** Length of the common prefix of a grant's refresh tokens: 132 random bits of the first one. */
const FAMILY_LENGTH = 22;

/**
 * The common prefix of the refresh tokens of one grant, as secret as they are. It identifies a token whose
 * row was deleted, so a grant needs few rows and replays are still detected.
 */
export const familyOf = (refreshToken: string) => refreshToken.slice(0, FAMILY_LENGTH);

/** The token that replaces the presented one: its family followed by a new random token. */
export const successorOf = (presented: string, random: string) => familyOf(presented) + random;
