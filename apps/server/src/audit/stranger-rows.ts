import type { SecurityEventType } from '#libs/accounts';
import { InProcessRateLimiter } from '#libs/platform';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Events of one type from one network that get a row each with all details, per minute. */
const ROWS_OF_A_NETWORK = 5;

/**
 * The event types that anybody can cause without an account, with the number of detailed rows that a replica writes
 * an hour. Apps register once for each of their users, and these rows are how operators find a client.
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
 * Where an event of a stranger goes: into a row of its own, onto the row that counts its network's events in this
 * minute, or onto the row that counts all further events of its type.
 */
export type StrangerPlace = 'row' | 'network' | 'rest';

/** More windows than can begin in an hour. */
const MAX_WINDOWS = 10_000;

/**
 * Keeps strangers from filling the audit trail: the first five events of a type that a network causes in a minute get
 * a row each, and the later ones share one row, until the type's rows for the hour are used up. These limits also
 * bound the memory used here.
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
