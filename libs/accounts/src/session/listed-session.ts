import type { AccountSessionsService } from './session.store.js';
import type { Session } from './session.js';

/** A session as its user sees it; times are epoch seconds. */
export interface ListedSession {
  readonly id: string;
  /** Display name, such as "Firefox on Windows". */
  readonly browser: string | null;
  readonly createdAt: number;
  readonly lastSeenAt: number;
  readonly expiresAt: number;
  /** Whether it is the session of this request. */
  readonly current: boolean;
}

type Stored = Awaited<ReturnType<AccountSessionsService['list']>>[number];

const seconds = (ms: number) => Math.floor(ms / 1000);

export const toListedSession = (stored: Stored, asking: Session): ListedSession => ({
  id: stored.id,
  browser: stored.browser,
  createdAt: seconds(stored.createdAt),
  lastSeenAt: seconds(stored.lastSeenAt),
  expiresAt: seconds(stored.expiresAt),
  current: stored.tokenHash === asking.tokenHash,
});
