import type { SecurityEventType } from '#libs/accounts';

/**
 * The events that docs/guides/operating.md lists for alerts. Their counters start at 0, so that the first event is an
 * increase.
 */
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
