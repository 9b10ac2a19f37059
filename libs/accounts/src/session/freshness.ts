import { RefusalError } from '../http/refusal.error.js';
import type { Session } from './session.js';

const FRESH_MS = 10 * 60 * 1000;

/**
 * For actions that a stolen session must not perform. Throws RefusalError 403 with `reason: "sign_in_again"` unless
 * the session began at most `maxAgeMs` ago, 10 minutes by default: with a passkey, by registering one, or by a
 * recovery. Using a session does not make it fresh again.
 */
export function expectFresh({ createdAt }: Pick<Session, 'createdAt'>, maxAgeMs = FRESH_MS) {
  if (Date.now() - createdAt <= maxAgeMs) return;
  throw new RefusalError(
    403,
    'this requires a recent sign-in; sign in with your passkey, then try again',
    {},
    { reason: 'sign_in_again' },
  );
}
