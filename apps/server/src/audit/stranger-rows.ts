import type { SecurityEventType } from '#libs/accounts';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** So many events of a kind keep a row each, with all that is known, of a network's in a minute. */
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

interface Minute {
  readonly endsAt: number;
  rows: number;
}

interface Hour {
  readonly endsAt: number;
  left: number;
  readonly minutes: Map<string, Minute>;
}

/**
 * Keeps strangers from filling the audit trail: the first five events of a kind that a network causes
 * in a minute get a row each, those after them one row in all, until the hour's rows of the kind are
 * used up. What is remembered is bounded by these rows.
 */
export class StrangerRows {
  private readonly hours = new Map<SecurityEventType, Hour>();

  placeOf(type: SecurityEventType, network = '', now = Date.now()): StrangerPlace {
    const hour = this.hourOf(type, now);
    const minute = minuteOf(hour, network, now);
    if (minute && minute.rows > ROWS_OF_A_NETWORK) return 'network';
    if (hour.left === 0) return 'rest';
    hour.left -= 1;
    const { endsAt, rows } = minute ?? { endsAt: now + MINUTE_MS, rows: 0 };
    hour.minutes.set(network, { endsAt, rows: rows + 1 });
    return rows < ROWS_OF_A_NETWORK ? 'row' : 'network';
  }

  private hourOf(type: SecurityEventType, now: number): Hour {
    const found = this.hours.get(type);
    if (found && found.endsAt > now) return found;
    const hour = { endsAt: now + HOUR_MS, left: HOURLY_ROWS[type] ?? 0, minutes: new Map() };
    this.hours.set(type, hour);
    return hour;
  }
}

function minuteOf({ minutes }: Hour, network: string, now: number): Minute | undefined {
  const minute = minutes.get(network);
  return minute && minute.endsAt > now ? minute : undefined;
}
