import type { SecurityEvent, SecurityEventType } from '#libs/accounts';
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
  private hour = { endsAt: 0, left: 0, ofUsers: new Map<string, number>() };

  /** How much the next new row may say of its events: all, whose they are, or their kind alone. */
  placeOf({ userId }: SecurityEvent, now: number): 'whole' | 'account' | 'rest' {
    if (this.hour.endsAt <= now) {
      this.hour = { endsAt: now + HOUR_MS, left: MAX_ROWS, ofUsers: new Map() };
    }
    const { left, ofUsers } = this.hour;
    if (left === 0 || userId === null) return 'rest';
    const rows = ofUsers.get(userId) ?? 0;
    if (rows >= MAX_ROWS_OF_USER) return 'account';
    ofUsers.set(userId, rows + 1);
    this.hour.left = left - 1;
    return 'whole';
  }
}
