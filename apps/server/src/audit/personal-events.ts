import type { SecurityEventType } from '#libs/accounts';

/**
 * Event types that the account's activity list leaves out: what apps do by themselves at any time, and consents that
 * were not given. Otherwise a session's holder could bury everything else under such events.
 */
const BUSTLE: readonly SecurityEventType[] = [
  'tool-called',
  'code-exchanged',
  'token-refreshed',
  'token-revoked',
  'grant-replaced',
  'consent-denied',
  'consent-refused',
];

/** Whether the account's activity list shows events of this type. */
export const isPersonal = (type: SecurityEventType) => !BUSTLE.includes(type);

/**
 * SQL condition for all other types, with the same text as in the index `audit_events_activity`: changing it needs a
 * migration.
 */
export const PERSONAL = `type NOT IN (${BUSTLE.map((type) => `'${type}'`).join(', ')})`;
