import type { User } from '../users/user.js';

/** A signed-in browser; `tokenHash` names it without giving away the token. */
export interface Session {
  readonly tokenHash: string;
  readonly user: User;
  /** When it ends, in epoch milliseconds, unless it is used before. */
  readonly expiresAt: number;
}

export interface SessionLifetimes {
  readonly idleMs: number;
  readonly maxMs: number;
}

/** `lastSeen` is written at most this often, so reading a session rarely costs a write. */
export const LAST_SEEN_STEP_MS = 5 * 60 * 1000;

/** The moment a session ends if nobody uses it again after `lastSeenAt`. */
export const sessionExpiry = (createdAt: number, lastSeenAt: number, lives: SessionLifetimes) =>
  Math.min(createdAt + lives.maxMs, lastSeenAt + lives.idleMs);
