import type { SecurityEvent, SecurityEventType } from '#libs/accounts';
import { InProcessRateLimiter } from '#libs/platform';
import { HOUR_MS } from './stranger-rows.js';

/** Rows per hour with account and details: for a replica, and for one account. */
const MAX_ROWS = 5_000;
const MAX_ROWS_OF_USER = 100;

/** The event types that the holder of an account, a session or a token can repeat without end. */
const REPEATED: ReadonlySet<SecurityEventType> = new Set<SecurityEventType>([
  'passkey-renamed',
  'display-name-changed',
  'recovery-codes-created',
  'tool-called',
  'token-refreshed',
  'token-revoked',
  'consent-refused',
  'signature-counter-reversed',
]);

export const isRepeated = (type: SecurityEventType) => REPEATED.has(type);

/** Events with the same key are counted on one row. */
export const keyOfRepeated = ({ type, userId, clientId, grantId, detail }: SecurityEvent) =>
  JSON.stringify([type, userId, clientId, grantId, detail]);

/**
 * Keeps repeated events from filling the audit trail: events that are alike share one row an hour. An account has 100
 * such rows an hour and a replica 5,000; beyond that a row tells only the account, or only the type.
 */
export class RepeatedRows {
  private readonly windows = new InProcessRateLimiter({
    maxWindows: 2 * MAX_ROWS,
    now: () => Date.now(),
  });

  /** How much the next new row may tell of its events: everything, the account and type, or the type alone. */
  placeOf({ userId }: SecurityEvent): 'whole' | 'account' | 'rest' {
    if (userId === null) return 'rest';
    const { passes, at } = this.windows.take([
      { key: '', limit: MAX_ROWS, periodMs: HOUR_MS },
      { key: userId, limit: MAX_ROWS_OF_USER, periodMs: HOUR_MS },
    ]);
    if (passes) return 'whole';
    return at === 0 ? 'rest' : 'account';
  }
}
