/** Characters that every refresh token of a grant begins with: 132 random bits of its first one. */
const FAMILY_LENGTH = 22;

/**
 * What the refresh tokens of one grant have in common, as secret as they are. By it a token is known
 * whose row was deleted: rows of a grant can be few, and a replay is noticed all the same.
 */
export const familyOf = (refreshToken: string) => refreshToken.slice(0, FAMILY_LENGTH);

/** The token that takes the place of the one presented, from one that is random as a whole. */
export const successorOf = (presented: string, random: string) => familyOf(presented) + random;
