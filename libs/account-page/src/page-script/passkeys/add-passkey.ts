import { addPasskey, againWhenExpired } from '#libs/ui-templates/page-script';
import type { Account } from '../account.js';
import { part } from '../part.js';
import { whileMaking } from './passkey-managers.js';

/** The button that adds a passkey. Returns what it does, for whoever offers the same in other words. */
export function offerPasskey(account: Account): () => Promise<void> {
  const texts = account.texts.passkeys;
  const button = part<HTMLButtonElement>('add-passkey');
  let isBusy = false;

  const setBusy = (busy: boolean) => {
    isBusy = busy;
    button.setAttribute('aria-disabled', String(busy));
    part('passkey-waiting').textContent = busy ? texts.adding : '';
  };
  const add = async () => {
    if (isBusy) return;
    part('passkey-fault').textContent = '';
    setBusy(true);
    try {
      await account.fresh(() => whileMaking(() => againWhenExpired(addPasskey)));
      account.say(texts.doneAdd);
      await account.refresh();
    } catch (error) {
      // oxlint-disable-next-line no-console
      console.warn(error);
      part('passkey-fault').textContent = explainAdding(account, error);
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
