import type { SecurityEvent, SecurityEventType } from '#libs/accounts';
import { InProcessRateLimiter } from '#libs/platform';
import { isPersonal } from './audit-event.entity.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 60 * MINUTE_MS;

/** Events of one type from one network that get a row each with all details, per minute. */
const ROWS_OF_A_NETWORK = 5;

/**
 * The event types that anyone can cause without an account, with the number of detailed rows that a replica writes
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
  'managed-access-refused': 120,
  'bearer-refused': 120,
  'admin-token-refused': 120,
};

export const isAnonymous = (type: SecurityEventType) => HOURLY_ROWS[type] !== undefined;

/** In a row of its own, on the row of its network's events of this minute, or on that of its type. */
type AnonymousDetail = 'detailed' | 'perNetwork' | 'perType';

const windowsByDate = (maxWindows: number) =>
  new InProcessRateLimiter({ maxWindows, now: () => Date.now() });

/** More windows than can begin in an hour. */
const MAX_WINDOWS = 10_000;

/**
 * Keeps strangers from filling the trail: the first five events of a type and network in a minute get a row each,
 * later ones share one, until the type's rows for the hour are used up. This bounds the memory here, too.
 */
export class AnonymousEventLimit {
  private readonly windows = windowsByDate(MAX_WINDOWS);

  levelOfDetail(type: SecurityEventType, network = ''): AnonymousDetail {
    const hour = { key: type, limit: HOURLY_ROWS[type] ?? 0, periodMs: HOUR_MS };
    const take = (what: string, limit: number) => {
      const minute = { key: `${what} ${type} ${network}`, limit, periodMs: MINUTE_MS };
      const { passes, at } = this.windows.take([minute, hour]);
      return { passes, isHourOver: !passes && at === 1 };
    };
    const own = take('own', ROWS_OF_A_NETWORK);
    if (own.passes) return 'detailed';
    return own.isHourOver || take('shared', 1).isHourOver ? 'perType' : 'perNetwork';
  }
}

/** Rows per hour with details: for a replica, and for one account or connection. */
const MAX_ROWS = 5_000;
const MAX_ROWS_OF_HOLDER = 100;
/** Of what the activity of an account shows, so that the holder of a session cannot bury the rest under it. */
const MAX_ROWS_OF_ACTIVITY = 20;
/** For all connections of an account. */
const MAX_ROWS_OF_CALLS = 500;
/** Of calls that were refused before they began, whose names a client may choose: of each connection, and in all. */
const MAX_ROWS_OF_REFUSALS = 20;
const MAX_REFUSAL_ROWS = 1_000;

/** The event types that the holder of an account, a session or a token can repeat without end. */
const REPEATED: ReadonlySet<SecurityEventType> = new Set<SecurityEventType>([
  'passkey-renamed',
  'display-name-changed',
  'recovery-codes-created',
  'connection-changed',
  'request-approved',
  'request-refused',
  'tool-called',
  'call-refused',
  'token-refreshed',
  'machine-token-issued',
  'token-revoked',
  'consent-refused',
  'signature-counter-reversed',
  'backup-eligibility-changed',
]);

export const isRepeated = (type: SecurityEventType) => REPEATED.has(type);

/** What a machine client does by itself, without any user. */
const OF_MACHINES: ReadonlySet<SecurityEventType> = new Set<SecurityEventType>([
  'tool-called',
  'machine-token-issued',
  'token-revoked',
]);

const isOfConnection = ({ type, userId, grantId }: SecurityEvent) =>
  type === 'tool-called' && userId !== null && grantId !== undefined;

/** What limits the rows of an event, and is on the row of those beyond the limit; null for neither. */
function holderOf(event: SecurityEvent) {
  const { type, userId, clientId, grantId } = event;
  if (isOfConnection(event) || type === 'call-refused') return { userId, clientId, grantId };
  if (userId !== null) return { userId };
  return OF_MACHINES.has(type) ? { userId, clientId } : null;
}

/** Events with the same key are counted on one row; titles may differ. */
export function keyOfRepeated({ type, userId, clientId, grantId, detail, facts }: SecurityEvent) {
  const { title: _title, pageTitle: _pageTitle, ...alike } = facts ?? {};
  return JSON.stringify([type, userId, clientId, grantId, detail, alike]);
}

interface RestOfHour {
  /** Events with the same key are counted on one row. */
  readonly key: string;
  readonly holder: Pick<SecurityEvent, 'userId' | 'clientId' | 'grantId'>;
}

/**
 * Keeps repeated events from filling the audit trail: events that are alike share one row an hour. What the activity of
 * accounts shows has 20 such rows an hour of an account, 5,000 of a replica; all else has 100 and 5,000. Each connection
 * has 100 of its own for its calls, all of an account 500. Beyond that a row tells the account, or the connection, up to
 * 5,000 such rows of either kind, and then the type alone. Refusals of a connection have 20 rows, all of a replica
 * 1,000, so that an app cannot use up those of what it did.
 */
export class RepeatedEventLimit {
  private readonly windows = windowsByDate(8 * MAX_ROWS);

  /** What to count an event on that would begin a row: undefined for one with all details. */
  restFor(event: SecurityEvent): RestOfHour | undefined {
    const holder = holderOf(event);
    if (holder === null) return restOfType(event);
    const name = JSON.stringify(holder);
    const ofHolder = { key: `${event.type} ${name}`, holder };
    const { passes, at } = this.windows.take(rowsOf(event, name));
    if (passes) return undefined;
    if (event.type === 'call-refused') return at === 0 ? restOfType(event) : ofHolder;
    const ofAll = isOfActivity(event) ? 'rest of activity' : 'rest';
    const rest = this.windows.take([hour(`rest ${ofHolder.key}`, 1), hour(ofAll, MAX_ROWS)]);
    return rest.passes || rest.at === 0 ? ofHolder : restOfType(event);
  }
}

const hour = (key: string, limit: number) => ({ key, limit, periodMs: HOUR_MS });

function rowsOf(event: SecurityEvent, holder: string) {
  const { type, userId } = event;
  if (type === 'call-refused') {
    return [hour('refusals', MAX_REFUSAL_ROWS), hour(`refusals ${holder}`, MAX_ROWS_OF_REFUSALS)];
  }
  if (isOfActivity(event)) {
    return [hour('activity', MAX_ROWS), hour(`activity ${holder}`, MAX_ROWS_OF_ACTIVITY)];
  }
  const ofReplica = hour('', MAX_ROWS);
  const own = hour(holder, MAX_ROWS_OF_HOLDER);
  return isOfConnection(event)
    ? [ofReplica, hour(`calls ${userId}`, MAX_ROWS_OF_CALLS), own]
    : [ofReplica, own];
}

/** Whether the activity of an account shows it. */
export const isOfActivity = ({ type, userId }: SecurityEvent) =>
  userId !== null && isPersonal(type);

export const restOfType = ({ type }: SecurityEvent): RestOfHour => ({
  key: type,
  holder: { userId: null },
});
