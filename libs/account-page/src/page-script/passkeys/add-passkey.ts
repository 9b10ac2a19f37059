import { addPasskey, againWhenExpired } from '#libs/ui-templates/page-script';
import type { Account } from '../account.js';
import { part } from '../part.js';
import { whileMaking } from './passkey-managers.js';

/** Ids of a button, and of where it says what went wrong and what is awaited. */
interface Place {
  readonly button: string;
  readonly fault: string;
  readonly waiting: string;
}

/** A button that adds a passkey. Returns what it does, for whoever offers the same in other words. */
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
    try {
      await whileMaking(() => againWhenExpired(() => account.fresh(addPasskey)));
      account.say(texts.doneAdd);
      await account.refresh();
    } catch (error) {
      // oxlint-disable-next-line no-console
      console.warn(error);
      part(place.fault).textContent = explainAdding(account, error);
    } finally {
      setBusy(false);
    }
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
