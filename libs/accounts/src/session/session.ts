import { randomBytes } from 'node:crypto';
import type { User } from '../user/user.js';
import { RefusalError } from '../http/refusal.error.js';

const TOKEN_BYTES = 32;

/** The secret in the session cookie: 32 random bytes, so 43 base64url characters. */
export const generateSessionToken = () => randomBytes(TOKEN_BYTES).toString('base64url');

export const isSessionToken = (value: string) => /^[A-Za-z0-9_-]{43}$/.test(value);

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
  /** The session that the request carried, perhaps of another account; the new one replaces it. */
  readonly carried?: Pick<Session, 'tokenHash'> | undefined;
  readonly began: SessionBeginning;
}

/** A sign-in that succeeded. */
export interface SignedIn {
  readonly user: User;
  /** Token of the new session. */
  readonly token: string;
  /** The session that the request carried, and those of the account that the sign-in ended. */
  readonly endedSessions: readonly EndedSession[];
}

/** 401 for a request without a session, or whose session has ended since it was read. */
export const signInFirst = () => new RefusalError(401, 'sign in first');

const FRESH_MS = 10 * 60 * 1000;

/**
 * For actions that a stolen session must not perform. Throws RefusalError 403 with `reason: "sign_in_again"` unless
 * the session began at most `maxAgeMs` ago, 10 minutes by default: with a passkey, by registering one, or by a
 * recovery. Using a session does not make it fresh again.
 */
export function expectFresh({ createdAt }: Pick<Session, 'createdAt'>, maxAgeMs = FRESH_MS) {
  if (Date.now() - createdAt <= maxAgeMs) return;
  throw new RefusalError(
    403,
    'this requires a recent sign-in; sign in with your passkey, then try again',
    {},
    { reason: 'sign_in_again' },
  );
}
