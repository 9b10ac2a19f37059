import { send } from '../../auth-api.js';
import { signalAccepted, signalName } from '../../signals.js';
import type { Account } from '../account.js';
import type { Passkey } from './passkey.js';

interface Answers {
  readonly passkeys: readonly Passkey[];
  readonly user: { readonly id: string; readonly displayName: string } | null;
}

/**
 * A lock held by one tab at a time: a list sent while a passkey is being created lacks it, and passkey managers would
 * delete the new passkey.
 */
const LOCK = 'gatehouse-passkeys';

/** Creates a passkey while no tab reports the list of passkeys to passkey managers. */
export const whileMaking = <Made>(make: () => Promise<Made>): Promise<Made> =>
  navigator.locks.request(LOCK, make);

/**
 * Reports the account's passkeys and its name to passkey managers. The signed-in account is checked after the list
 * was read: the list of another account would make managers delete all passkeys of this one.
 */
export async function tellPasskeyManagers({ userId }: Account) {
  await navigator.locks.request(LOCK, { ifAvailable: true }, async (lock) => {
    if (!lock) return;
    const { passkeys } = await send<Pick<Answers, 'passkeys'>>('GET', '/svc/me/passkeys');
    const { user } = await send<Pick<Answers, 'user'>>('GET', '/svc/auth/me');
    if (user?.id !== userId) return;
    signalAccepted(
      userId,
      passkeys.map(({ id }) => id),
    );
    signalName(userId, user.displayName);
  });
}
