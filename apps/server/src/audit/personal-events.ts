import type { SecurityEventType } from '#libs/accounts';

/**
 * What a person does not look for in the history of the own account: what apps do by themselves, day and
 * night, and consents that came to nothing. Who holds a session could bury everything else under it.
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

/** Whether a person looks for it in the history of the own account. */
export const isPersonal = (type: SecurityEventType) => !BUSTLE.includes(type);

/** SQL for all other events, in the words of the index `audit_events_activity`: a change needs a migration. */
export const PERSONAL = `type NOT IN (${BUSTLE.map((type) => `'${type}'`).join(', ')})`;
