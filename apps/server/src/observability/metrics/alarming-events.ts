import type { SecurityEventType } from '#libs/accounts';

/** What docs/guides/operating.md tells to be woken for: counted from 0 on, so that the first one is a rise. */
export const ALARMING_EVENTS: readonly SecurityEventType[] = [
  'token-replayed',
  'signature-counter-reversed',
  'sign-in-failed',
  'passkey-refused',
  'foreign-origin-refused',
  'client-authentication-failed',
  'consent-refused',
  'bearer-refused',
  'admin-token-refused',
];
