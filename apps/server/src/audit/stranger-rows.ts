import type { SecurityEventType } from '#libs/accounts';
import { InProcessRateLimiter } from '#libs/platform';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Events of one kind from one network that get a row each in a minute, with all that is known. */
const ROWS_OF_A_NETWORK = 5;

/**
 * The kinds of events that anybody can cause without an account, and how many rows of each a replica
 * writes an hour that tell more than a number. Apps register once for
 * each of their users, and the rows are how a client is found.
 */
const HOURLY_ROWS: Partial<Record<SecurityEventType, number>> = {
  'client-registered': 600,
  'sign-in-failed': 120,
  'passkey-refused': 120,
  'foreign-origin-refused': 120,
  'client-authentication-failed': 120,
  'authorization-refused': 120,
  'token-refused': 120,
  'bearer-refused': 120,
  'admin-token-refused': 120,
};

export const isOfStrangers = (type: SecurityEventType) => HOURLY_ROWS[type] !== undefined;

/**
 * Where an event of a stranger goes: into a row of its own, onto the row that counts those of its
 * network in this minute, or onto the row that counts all the rest of its kind.
 */
export type StrangerPlace = 'row' | 'network' | 'rest';

/** More than an hour can begin. */
const MAX_WINDOWS = 10_000;

/**
 * Keeps strangers from filling the audit trail: the first five events of a kind that a network causes
 * in a minute get a row each, those after them one row in all, until the hour's rows of the kind are
 * used up. What is remembered is bounded by these rows.
 */
export class StrangerRows {
  private readonly windows = new InProcessRateLimiter({
    maxWindows: MAX_WINDOWS,
    now: () => Date.now(),
  });

  placeOf(type: SecurityEventType, network = ''): StrangerPlace {
    const hour = { key: type, limit: HOURLY_ROWS[type] ?? 0, periodMs: HOUR_MS };
    const take = (what: string, limit: number) => {
      const minute = { key: `${what} ${type} ${network}`, limit, periodMs: MINUTE_MS };
      const { passes, at } = this.windows.take([minute, hour]);
      return { passes, isHourOver: !passes && at === 1 };
    };
    const own = take('own', ROWS_OF_A_NETWORK);
    if (own.passes) return 'row';
    return own.isHourOver || take('shared', 1).isHourOver ? 'rest' : 'network';
  }
}
