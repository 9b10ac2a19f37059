import type { AccountScriptTexts } from '../../account/account-texts.js';
import { post } from '../auth-api.js';
import { goOn, onClick } from '../elements.js';
import { rememberSignOut } from '../remembered.js';
import { Account, NotOwnError } from './account.js';
import { activitySection } from './activity.js';
import { appsSection } from './apps.js';
import { budgetSection } from './budget.js';
import { startDeletion } from './deletion.js';
import { overviewSection } from './overview.js';
import { startExport } from './export.js';
import { passkeysSection, tellPasskeyManagers } from './passkeys.js';
import { startProfile } from './profile.js';
import { recoveredSection } from './recovered.js';
import { recoveryCodesSection } from './recovery-codes.js';
import { requestsSection } from './requests.js';
import { sectionsLoader } from './sections.js';
import { sessionsSection } from './sessions.js';

export function startAccount(texts: AccountScriptTexts) {
  const refresh = async () => {
    await loadSections();
    await tellPasskeyManagers(account).catch(() => undefined);
  };
  const account = new Account(texts, refresh);
  const loadSections = sectionsLoader(
    [
      requestsSection(account),
      ...recoveredSection(account),
      passkeysSection(account),
      recoveryCodesSection(account),
      sessionsSection(account),
      appsSection(account),
      activitySection(account),
      budgetSection(account),
      overviewSection(account),
    ],
    (error) => `${texts.page.notLoaded} ${account.explain(error)}`,
  );
  startProfile(account);
  startExport(account);
  startDeletion(account);
  offerSignOut(account);

  const comeBack = async () => {
    if (document.visibilityState === 'hidden' || account.isAsking || account.isOver) return;
    try {
      await account.expectOwn();
      await refresh();
    } catch (error) {
      if (error instanceof NotOwnError) leave(account, error);
    }
  };
  document.addEventListener('visibilitychange', () => void comeBack());
  globalThis.addEventListener('pageshow', ({ persisted }) => {
    if (persisted) void comeBack();
  });
  void refresh();
}

/** Loads the page of the account that is signed in now; while unsaved recovery codes are shown, only on request. */
function leave(account: Account, error: NotOwnError) {
  if (account.hasUnsavedCodes) return void account.explain(error);
  if (!error.isSignedIn) rememberSignOut();
  goOn();
}

function offerSignOut(account: Account) {
  const { leaveTitle: title, leaveText: text, leaveAct: act } = account.texts.recoveryCodes;
  const end = () => post('logout', {});
  /** Resolves to whether it was done. */
  const signOut = async () => {
    if (account.hasUnsavedCodes) return account.ask({ title, text, act, grave: true, run: end });
    await account.expectOwn();
    await end();
    return true;
  };
  onClick('sign-out', async () => {
    try {
      if (!(await signOut())) return;
      account.hasUnsavedCodes = false;
      rememberSignOut();
      goOn();
    } catch (error) {
      if (error instanceof NotOwnError) leave(account, error);
      else account.say(account.explain(error));
    }
  });
}
