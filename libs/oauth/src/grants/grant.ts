const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** A grant whose code was never exchanged disappears together with the code. */
export const CODE_LIFETIME_MS = 10 * MINUTE;

/** Idle lifetime of refresh tokens and grants: every refresh starts it again. */
export const GRANT_LIFETIME_MS = 30 * DAY;

export const ACCESS_TOKEN_LIFETIME_MS = 60 * MINUTE;

/** Grants of one user and one client that stand side by side; the longest idle one goes first. */
export const MAX_GRANTS_PER_CLIENT = 20;

/** Grants of one user, whatever the clients; the longest idle one goes first. */
export const MAX_GRANTS_PER_USER = 100;

/** The resource a grant is good for (contract: the origin plus `/svc/mcp`). */
export const resourceOf = (origin: string) => `${origin}/svc/mcp`;
