import { goOn, post } from '#libs/ui-templates/page-script';
import type { AccountScriptTexts } from '../account-texts.js';
import { Account, NotOwnError } from './account.js';
import { part } from './part.js';
import { tellPasskeyManagers } from './passkeys/passkey-managers.js';
import { activitySection } from './sections/activity.js';
import { appsSection } from './sections/apps.js';
import { budgetSection } from './sections/budget.js';
import { startDeletion } from './sections/deletion.js';
import { passkeysSection } from './sections/passkeys.js';
import { startProfile } from './sections/profile.js';
import { recoveredSection } from './sections/recovered.js';
import { recoveryCodesSection } from './sections/recovery-codes.js';
import { sessionsSection } from './sections/sessions.js';
import { SectionsLoader } from './sections-loader.js';

export function startAccount(texts: AccountScriptTexts) {
  const refresh = async () => {
    await sections.load();
    await tellPasskeyManagers(account).catch(() => undefined);
  };
  const account = new Account(texts, refresh);
  const sections = new SectionsLoader(
    [
      ...recoveredSection(account),
      passkeysSection(account),
      recoveryCodesSection(account),
      sessionsSection(account),
      appsSection(account),
      activitySection(account),
      budgetSection(account),
    ],
    (error) => `${texts.page.notLoaded} ${account.explain(error)}`,
  );
  startProfile(account);
  startDeletion(account);
  offerSignOut(account);

  const comeBack = async () => {
    if (document.visibilityState === 'hidden' || account.isAsking || account.isOver) return;
    try {
      await account.expectOwn();
      await refresh();
    } catch (error) {
      if (error instanceof NotOwnError) goOn();
    }
  };
  document.addEventListener('visibilitychange', () => void comeBack());
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void comeBack();
  });
  void refresh();
}

function offerSignOut(account: Account) {
  const button = part<HTMLButtonElement>('sign-out');
  const signOut = async () => {
    await account.expectOwn();
    await post('logout', {});
  };
  button.addEventListener('click', () => {
    signOut().then(goOn, (error: unknown) => {
      if (error instanceof NotOwnError) goOn();
      else account.say(account.explain(error));
    });
  });
  button.disabled = false;
}
