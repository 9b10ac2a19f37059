import { send, signalAccepted, signalName } from '#libs/ui-templates/page-script';
import type { Account } from '../account.js';
import type { Passkey } from './passkey.js';

interface Answers {
  readonly passkeys: readonly Passkey[];
  readonly user: { readonly id: string; readonly displayName: string } | null;
}

/** Held in one tab at a time: a passkey that is being made is in no list yet, and would be deleted by it. */
const LOCK = 'gatehouse-passkeys';

/** Nobody tells passkey managers which passkeys there are while one is being made, in no tab. */
export const whileMaking = <Made>(make: () => Promise<Made>): Promise<Made> =>
  navigator.locks.request(LOCK, make);

/**
 * Tells passkey managers which passkeys the account has, and its name. Who is signed in is asked after
 * the list: of another account it would have them delete all passkeys of this one.
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
