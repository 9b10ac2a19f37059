import { Injectable, Logger } from '@nestjs/common';
import { RefusalError } from '../http/refusal.error.js';
import type { User } from '../user/user.js';
import { AccountDisabledError } from '../user/user.store.js';

/** Types of events about accounts and what protects them; docs/reference/events.md says when each is emitted. */
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
  'connection-changed',
  'request-approved',
  'request-refused',
  'code-exchanged',
  'grant-replaced',
  'tool-called',
  'call-refused',
  'managed-access-granted',
  'managed-access-refused',
  'token-refreshed',
  'machine-token-issued',
  'token-revoked',
  'consent-refused',
  'signature-counter-reversed',
  'backup-eligibility-changed',
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
  'identity-linked',
  'identity-unlinked',
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

/** Details of an event beside its account; docs/reference/events.md says which type has which. */
export interface EventFacts {
  /** Id of the invite. */
  readonly invite?: string;
  /** Host of the redirect URI. */
  readonly host?: string;
  /** Id of the event that was not delivered. */
  readonly event?: string;
  /** The account's own daily limit, in credits. */
  readonly limit?: number;
  /** Name of the tool that was called. */
  readonly tool?: string;
  /** Outcome of the call. */
  readonly outcome?: string;
  /** What was called: a tool, a resource or a prompt. */
  readonly kind?: CallKind;
  /** Its name, for a tool of a page the one that the page gave it. */
  readonly name?: string;
  /** Its title for people. */
  readonly title?: string;
  /** Host of the page that the call went to. */
  readonly page?: string;
  /** That page's title. */
  readonly pageTitle?: string;
  /** How the person approved the call. */
  readonly approved?: CallApproval;
  /** Whether a passkey confirmed the approval. */
  readonly passkey?: boolean;
  /** What changed of a connection: members and their values, such as `tabs:write=ask, paused=true`. */
  readonly changed?: string;
  /** Reason of a refusal, in our own words: it repeats nothing of the request. */
  readonly reason?: string;
}

export type CallKind = 'tool' | 'resource' | 'prompt';

export type CallApproval = 'once' | 'passkey';

/** A call as its person knows it, without its arguments and its result. */
export interface CallDescription {
  readonly kind: CallKind;
  /** For a tool of a page, the name that the page gave it. */
  readonly name: string;
  readonly title: string;
  /** The open page that it went to, as that described itself; null for a call that went to none. */
  readonly page: { readonly host: string; readonly title: string } | null;
  /** How the person approved this call; null where it needed no approval. */
  readonly approved: CallApproval | null;
}

/** A session that has ended, for code that closes what it held open. */
export interface EndedSession {
  readonly tokenHash: string;
  readonly user: User;
}

/** A recorded event; it contains no secret and no address. */
export interface SecurityEvent {
  readonly type: SecurityEventType;
  /** Id of the account; null for an event that concerns none. */
  readonly userId: string | null;
  /** Id of the OAuth client involved. */
  readonly clientId?: string;
  /** That client's own name, 80 characters at most. */
  readonly app?: string;
  /** Id of the grant that was given or ended. */
  readonly grantId?: string;
  /** The origin that the request was for; empty for an event without a request. */
  readonly origin: string;
  /** Name of the operating-system user, for an event that an administrator caused. */
  readonly actor?: string;
  /**
   * Why something was refused, or what was done, in our own words: it repeats nothing of the request.
   *
   * @deprecated `facts` has the same in parts; this goes with the next major version
   */
  readonly detail?: string;
  readonly facts?: EventFacts;
  /** A call. `tool` and `outcome` are from a small set of names: all tools of an account's own share one name. */
  readonly called?:
    (CallDescription & { readonly tool: string; readonly outcome: string }) | undefined;
  /** Cost of a tool call: credits of the account's budget, and time. */
  readonly spent?: { readonly credits: number; readonly durationMs: number } | undefined;
  /** Sessions that this event ended; a sign-in may end a session of another account. */
  readonly endedSessions?: readonly EndedSession[];
}

type Listener = (event: SecurityEvent) => void;

/**
 * Emits security events to all listeners on this replica, in the order they happen. Listeners are called
 * synchronously and must return quickly; when one throws, the others are still called.
 */
@Injectable()
export class SecurityEventsService {
  private readonly logger = new Logger(SecurityEventsService.name);
  private readonly listeners = new Set<Listener>();

  /** Adds a listener; returns a function that removes it. */
  listen(listener: Listener): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  /** A `detail` without `facts` becomes the reason in `facts`. */
  emit(event: SecurityEvent): void {
    const { detail: reason, facts = reason === undefined ? undefined : { reason } } = event;
    const complete = facts === undefined ? event : { ...event, facts };
    for (const listener of this.listeners) {
      try {
        listener(complete);
      } catch (error) {
        this.logger.error(`a listener failed on ${event.type}: ${String(error)}`);
      }
    }
  }

  /** Emits an event about a refusal, not a failure, of an account, by default the disabled one. @internal */
  emitRefusal(type: SecurityEventType, error: unknown, origin: string, userId?: string): void {
    if (!(error instanceof RefusalError) || error.status >= 500) return;
    const disabled = error instanceof AccountDisabledError ? error.userId : null;
    this.emit({ type, userId: userId ?? disabled, origin, detail: error.message });
  }
}
