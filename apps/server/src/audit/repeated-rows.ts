import type { SecurityEvent, SecurityEventType } from '#libs/accounts';
import { InProcessRateLimiter } from '#libs/platform';
import { HOUR_MS } from './stranger-rows.js';

/** Rows of an hour that tell whose and which, of a replica and of one account. */
const MAX_ROWS = 5_000;
const MAX_ROWS_OF_USER = 100;

/** The kinds of events that whoever has an account, or a part of one, can repeat without end. */
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

/** Events that are alike in all that the row of them says. */
export const keyOfRepeated = ({ type, userId, clientId, grantId, detail }: SecurityEvent) =>
  JSON.stringify([type, userId, clientId, grantId, detail]);

/**
 * Keeps what is done again and again from filling the audit trail: what is alike is one row an hour. An
 * account has 100 such rows an hour and a replica 5,000; beyond that a row says only whose, or only what.
 */
export class RepeatedRows {
  private readonly windows = new InProcessRateLimiter({
    maxWindows: 2 * MAX_ROWS,
    now: () => Date.now(),
  });

  /** How much the next new row may say of its events: all, whose they are, or their kind alone. */
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
