import { addPasskey, againWhenExpired } from '../../ceremonies.js';
import type { Account } from '../account.js';
import { part } from '../part.js';
import { nameNewPasskey } from './passkey-care.js';
import { whileMaking } from './passkey-managers.js';
import type { MadePasskey } from './passkey-words.js';

/** Ids of a button and of the elements for its errors and its progress. */
interface Place {
  readonly button: string;
  readonly fault: string;
  readonly waiting: string;
}

/** Makes a button add a passkey and then ask for its name. Returns that action, for other controls that offer it. */
export function offerPasskey(account: Account, place: Place): () => Promise<void> {
  const texts = account.texts.passkeys;
  const button = part<HTMLButtonElement>(place.button);
  let isBusy = false;

  const setBusy = (busy: boolean) => {
    isBusy = busy;
    button.setAttribute('aria-disabled', String(busy));
    part(place.waiting).textContent = busy ? texts.adding : '';
  };
  const add = async () => {
    if (isBusy) return;
    part(place.fault).textContent = '';
    setBusy(true);
    let made: MadePasskey | undefined;
    try {
      made = await whileMaking(() => againWhenExpired(() => account.fresh(addPasskey)));
      await account.refresh();
    } catch (error) {
      // oxlint-disable-next-line no-console
      console.warn(error);
      part(place.fault).textContent = explainAdding(account, error);
    } finally {
      setBusy(false);
    }
    if (made) await nameNewPasskey(account, made);
  };
  button.addEventListener('click', () => void add());
  return add;
}

function explainAdding(account: Account, error: unknown): string {
  const { ceremonies, passkeys } = account.texts;
  return account.explain(error, 'signUp', {
    ...ceremonies,
    cancelledSignUp: passkeys.cancelledAdd,
    alreadyHere: passkeys.alreadyThere,
  });
}
