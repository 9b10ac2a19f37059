import type { EndedSession } from '../sessions/session.js';

/** What happened to an account or to what guards it; docs/reference/events.md says when each is told. */
export const SECURITY_EVENT_TYPES = [
  'sign-up',
  'sign-in',
  'sign-out',
  'passkey-added',
  'passkey-renamed',
  'passkey-removed',
  'session-ended',
  'other-sessions-ended',
  'display-name-changed',
  'recovery-codes-created',
  'account-recovered',
  'account-deleted',
  'client-registered',
  'consent-approved',
  'consent-denied',
  'token-replayed',
  'app-disconnected',
  'code-exchanged',
  'grant-replaced',
  'tool-called',
  'token-refreshed',
  'token-revoked',
  'consent-refused',
  'signature-counter-reversed',
  'sign-in-failed',
  'passkey-refused',
  'foreign-origin-refused',
  'client-authentication-failed',
  'authorization-refused',
  'token-refused',
  'bearer-refused',
  'admin-token-refused',
  'recovery-link-created',
  'recovery-link-revoked',
  'user-signed-out',
  'user-disabled',
  'user-enabled',
  'invite-created',
  'invite-deleted',
  'client-created',
  'client-deleted',
  'client-blocked',
  'client-unblocked',
  'redirect-host-blocked',
  'redirect-host-unblocked',
  'client-secret-rotated',
  'budget-set',
  'budget-reset',
  'event-retried',
  'event-dropped',
] as const;

export type SecurityEventType = (typeof SECURITY_EVENT_TYPES)[number];

/** What an event is about, beyond whose it is; docs/reference/events.md says which of these a type has. */
export interface EventFacts {
  /** Id of the invite. */
  readonly invite?: string;
  /** Host that people are redirected to. */
  readonly host?: string;
  /** Id of an event that was not delivered. */
  readonly event?: string;
  /** Credits a day that an account got of its own. */
  readonly limit?: number;
  /** What was called. */
  readonly tool?: string;
  /** How that ended. */
  readonly outcome?: string;
  /** Why something was refused, in words of ours that repeat nothing of the request. */
  readonly reason?: string;
}

/** One thing that happened, after it was written down; it holds no secret and no address. */
export interface SecurityEvent {
  readonly type: SecurityEventType;
  /** Whose account it is; null for what belongs to none. */
  readonly userId: string | null;
  /** The OAuth client that took part. */
  readonly clientId?: string;
  /** What that client calls itself, 80 characters at most. */
  readonly app?: string;
  /** The grant that came about or ended. */
  readonly grantId?: string;
  /** The origin that the request was for; empty for what no request asked for. */
  readonly origin: string;
  /** Who did it, where that is somebody who runs the service: the name of an operating-system user. */
  readonly actor?: string;
  /**
   * Why something was refused, or what was done, in words of ours that repeat nothing of the request.
   *
   * @deprecated `facts` has the same in parts; this goes with the next major version
   */
  readonly detail?: string;
  readonly facts?: EventFacts;
  /** Which tool was called and how that ended, in few names: those of an account's own tools are one. */
  readonly called?: { readonly tool: string; readonly outcome: string } | undefined;
  /** What a call of a tool cost: credits of the account's budget, and time. */
  readonly spent?: { readonly credits: number; readonly durationMs: number } | undefined;
  /** The sessions that ended by it; a sign-in may end one of another account. */
  readonly endedSessions?: readonly EndedSession[];
}
