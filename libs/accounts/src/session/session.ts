import { randomBytes } from 'node:crypto';
import type { User } from '../user/user.js';

/** A signed-in browser; `tokenHash` identifies it without revealing the token. Times are epoch milliseconds. */
export interface Session {
  readonly tokenHash: string;
  /** Random id that the user sees; it grants no access. */
  readonly id: string;
  readonly user: User;
  readonly createdAt: number;
  /** When it expires unless it is used before. */
  readonly expiresAt: number;
  /** The passkey it began with; null after a recovery, and for sessions older than this column. */
  readonly credentialId: string | null;
}

/** A session that has ended, for code that closes what it held open. */
export type EndedSession = Pick<Session, 'tokenHash' | 'user'>;

/** How a session begins: with a passkey, by registering one for a new account, or by a recovery. */
export type SessionBeginning =
  | { readonly by: 'passkey' | 'registration'; readonly credentialId: string }
  | { readonly by: 'recovery' };

export interface NewSession {
  readonly userId: string;
  /** The origin that the session is made on; it is refused on any other. */
  readonly origin: string;
  /** Display name, by `browserName`. */
  readonly browser: string | null;
  readonly began: SessionBeginning;
}

export interface SessionLifetimes {
  readonly idleMs: number;
  readonly maxMs: number;
}

/** `lastSeen` is written at most this often, so that reading a session rarely needs a write. */
export const LAST_SEEN_STEP_MS = 5 * 60 * 1000;

/** When a session expires if it is not used after `lastSeenAt`. */
export const sessionExpiry = (createdAt: number, lastSeenAt: number, lives: SessionLifetimes) =>
  Math.min(createdAt + lives.maxMs, lastSeenAt + lives.idleMs);

/** 128 random bits as base64url. */
export const generateSessionId = () => randomBytes(16).toString('base64url');
