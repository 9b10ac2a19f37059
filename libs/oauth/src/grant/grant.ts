import type { GrantEntity } from './grant.entity.js';

const MINUTE = 60 * 1000;
const DAY = 24 * 60 * MINUTE;

/** Lifetime of a code, and of a grant whose code is never exchanged. */
export const CODE_LIFETIME_MS = 10 * MINUTE;

/** Idle lifetime of refresh tokens and grants, restarted by every refresh. */
export const GRANT_LIFETIME_MS = 30 * DAY;

export const ACCESS_TOKEN_LIFETIME_MS = 60 * MINUTE;

/** Lifetime of access tokens that are JWTs: a server that only checks the signature accepts a revoked one until then. */
export const JWT_LIFETIME_MS = 10 * MINUTE;

/** Concurrent grants per user and client; beyond it the longest idle one ends. */
export const MAX_GRANTS_PER_CLIENT = 20;

/** Concurrent grants per user across all clients; beyond it the longest idle one of the app with the most ends. */
export const MAX_GRANTS_PER_USER = 100;

/** The default resource of an origin (contract: the origin plus `/svc/mcp`). */
export const resourceOf = (origin: string) => `${origin}/svc/mcp`;

export const resourceOfGrant = ({ origin, resource }: Pick<GrantEntity, 'origin' | 'resource'>) =>
  resource ?? resourceOf(origin);
