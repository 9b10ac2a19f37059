import type { Session } from '../sessions/session.js';

/** What happened to an account or to what guards it. */
export type SecurityEventType =
  | 'sign-up'
  | 'sign-in'
  | 'sign-out'
  | 'passkey-added'
  | 'client-registered'
  | 'consent-approved'
  | 'consent-denied'
  | 'token-replayed'
  | 'app-disconnected';

/** One thing that happened, after it was written down; it holds no secret. */
export interface SecurityEvent {
  readonly type: SecurityEventType;
  /** Whose account it is; null for what belongs to none. */
  readonly userId: string | null;
  /** The OAuth client that took part. */
  readonly clientId?: string;
  /** The grant that came about or ended. */
  readonly grantId?: string;
  /** The origin that the request was for. */
  readonly origin: string;
  /** The session that ended by it; a sign-in may end one of another account. */
  readonly endedSession?: Pick<Session, 'tokenHash' | 'user'> | undefined;
}
