import { randomBytes } from 'node:crypto';
import type { User } from '../users/user.js';

/** A signed-in browser; `tokenHash` names it without giving away the token. Times are epoch milliseconds. */
export interface Session {
  readonly tokenHash: string;
  /** Names it to its user: random, and good for nothing else. */
  readonly id: string;
  readonly user: User;
  readonly createdAt: number;
  /** When it ends, unless it is used before. */
  readonly expiresAt: number;
  /** The passkey it began with; null after a recovery, and for sessions from before this was kept. */
  readonly credentialId: string | null;
}

/** A session that is over, for those who have to close what it keeps open. */
export type EndedSession = Pick<Session, 'tokenHash' | 'user'>;

/** How a session begins: with a passkey, by registering one for a new account, or by a recovery. */
export type SessionBeginning =
  | { readonly by: 'passkey' | 'registration'; readonly credentialId: string }
  | { readonly by: 'recovery' };

export interface NewSession {
  readonly userId: string;
  /** The origin it is made on; it is refused on any other. */
  readonly origin: string;
  /** In words, by `browserName`. */
  readonly browser: string | null;
  readonly began: SessionBeginning;
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

/** 128 random bits as base64url. */
export const generateSessionId = () => randomBytes(16).toString('base64url');
