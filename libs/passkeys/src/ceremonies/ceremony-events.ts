import { RefusalError, type SecurityEvent, type Session } from '#libs/accounts';
import { CounterReversedError, OwnerRefusedError } from './ceremony.error.js';

/** What a new account is told as: with the session that it ended, and the invite that it took. */
export function eventOfSignUp(
  happened: Pick<SecurityEvent, 'origin' | 'userId'>,
  ended: Session | undefined,
  inviteId: string | undefined,
): SecurityEvent {
  const said =
    inviteId === undefined ? {} : { detail: `invite ${inviteId}`, facts: { invite: inviteId } };
  return { type: 'sign-up', ...happened, ...said, endedSessions: ended ? [ended] : [] };
}

/** What a sign-in that did not come about is told as; undefined where the service is at fault. */
export function eventOfFailedSignIn(error: unknown, origin: string): SecurityEvent | undefined {
  if (error instanceof CounterReversedError) {
    return { type: 'signature-counter-reversed', userId: error.userId, origin };
  }
  if (!isRefusal(error)) return undefined;
  const userId = error instanceof OwnerRefusedError ? error.userId : null;
  return { type: 'sign-in-failed', userId, origin, detail: error.message };
}

/** What a new passkey that was not taken is told as; undefined where the service is at fault. */
export function eventOfRefusedPasskey(error: unknown, origin: string): SecurityEvent | undefined {
  return isRefusal(error)
    ? { type: 'passkey-refused', userId: null, origin, detail: error.message }
    : undefined;
}

const isRefusal = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && error.status < 500;
