import { randomBytes } from 'node:crypto';
import { RefusalError } from '../http/refusal.error.js';
import type { EndedSession } from '../security-event/security-event.service.js';
import type { User } from '../user/user.js';

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
  readonly beganBy: SessionBeginning['by'];
  /** The passkey it began with; null where it began without one, and for sessions older than this column. */
  readonly credentialId: string | null;
}

/** How a session begins: with a passkey, by registering one, by a recovery, or by an ExternalSignIn. */
export type SessionBeginning =
  | { readonly by: 'passkey' | 'registration'; readonly credentialId: string }
  | { readonly by: 'recovery' | 'external' };

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

export interface SignedIn {
  readonly user: User;
  readonly token: string;
  /** The session that the request carried, and those of the account that the sign-in ended. */
  readonly endedSessions: readonly EndedSession[];
}

/** 401 for a request without a session, or whose session has ended since it was read. */
export const signInFirst = () => new RefusalError(401, 'sign in first');

export const notFresh = () =>
  new RefusalError(
    403,
    'this requires a recent sign-in; sign in with your passkey, then try again',
    {},
    { reason: 'sign_in_again' },
  );
