import { send } from '../auth-api.js';
import type { AccountStatus, OpenRequest } from '../client/client-api.js';

/** What the page reads of the service, by path. Moments are in epoch seconds. */
export interface Answers {
  '/svc/auth/me': AccountStatus;
  '/svc/me/activity': { readonly events: readonly ActivityEvent[] };
  '/svc/me/connections': { readonly connections: readonly Connection[] };
  '/svc/me/passkeys': { readonly passkeys: readonly Passkey[] };
  '/svc/me/recovery-codes': RecoveryCodes;
  '/svc/me/requests': { readonly requests: readonly OpenRequest[] };
  '/svc/me/sessions': { readonly sessions: readonly ListedSession[] };
}

/** Throws Refusal. */
export const fetchAnswer = <Path extends keyof Answers>(path: Path) =>
  send<Answers[Path]>('GET', path);

export type Get = typeof fetchAnswer;

export type User = NonNullable<AccountStatus['user']>;

export interface ActivityEvent {
  readonly type: string;
  readonly at: number;
  readonly app: string | null;
  readonly browser: string | null;
}

export interface Connection {
  readonly id: string;
  readonly app: string;
  readonly redirectHost: string | null;
  /** The host of the document that describes it; null where the app registered itself. */
  readonly published: string | null;
  /** The name of who decides about it in place of the person. */
  readonly managedBy: string | null;
  /** By scope. */
  readonly permissions: Readonly<Record<string, 'allow' | 'ask' | 'off'>>;
  readonly pausedBy: 'person' | 'administrator' | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
}

export interface Passkey {
  readonly id: string;
  readonly name: string | null;
  readonly provider: string | null;
  readonly synced: boolean | null;
  readonly createdAt: number;
  readonly lastUsedAt: number | null;
  readonly current: boolean;
}

export interface RecoveryCodes {
  readonly left: number;
  /** Null before there were any. */
  readonly createdAt: number | null;
}

export interface ListedSession {
  readonly id: string;
  readonly browser: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly current: boolean;
}
