import { RefusalError, type SecurityEvent, type Session } from '#libs/accounts';
import { CounterReversedError, OwnerRefusedError } from './ceremony.error.js';

/** The event of a new account, with the session that it ended and the invite that it used. */
export function eventOfSignUp(
  happened: Pick<SecurityEvent, 'origin' | 'userId'>,
  ended: Session | undefined,
  inviteId: string | undefined,
): SecurityEvent {
  const said =
    inviteId === undefined ? {} : { detail: `invite ${inviteId}`, facts: { invite: inviteId } };
  return { type: 'sign-up', ...happened, ...said, endedSessions: ended ? [ended] : [] };
}

/** The event of a failed sign-in; undefined for an error of the service itself. */
export function eventOfFailedSignIn(error: unknown, origin: string): SecurityEvent | undefined {
  if (error instanceof CounterReversedError) {
    return { type: 'signature-counter-reversed', userId: error.userId, origin };
  }
  if (!isRefusal(error)) return undefined;
  const userId = error instanceof OwnerRefusedError ? error.userId : null;
  return { type: 'sign-in-failed', userId, origin, detail: error.message };
}

/** The event of a refused new passkey; undefined for an error of the service itself. */
export function eventOfRefusedPasskey(error: unknown, origin: string): SecurityEvent | undefined {
  return isRefusal(error)
    ? { type: 'passkey-refused', userId: null, origin, detail: error.message }
    : undefined;
}

const isRefusal = (error: unknown): error is RefusalError =>
  error instanceof RefusalError && error.status < 500;
