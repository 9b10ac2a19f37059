import { builtInPageLanguages, type ScriptTexts } from '#libs/ui-templates';
import { activity } from './texts/activity.js';
import { apps } from './texts/apps.js';
import { budget } from './texts/budget.js';
import { deletion } from './texts/deletion.js';
import { page } from './texts/page.js';
import { passkeys } from './texts/passkeys.js';
import { profile } from './texts/profile.js';
import { recover } from './texts/recover.js';
import { recoveryCodes } from './texts/recovery-codes.js';
import { sessions } from './texts/sessions.js';
import { signInAgain } from './texts/sign-in-again.js';
import { signedOut } from './texts/signed-out.js';

/** No app leads here, so no app leads on. */
export const ceremonyTexts: ScriptTexts = {
  ...builtInPageLanguages.fallback.texts.script,
  ...signedOut.script,
};

/** What the script of the account page says, by section; the rest is in the markup. */
export const scriptTexts = {
  ceremonies: ceremonyTexts,
  page: page.script,
  signInAgain: signInAgain.script,
  profile: profile.script,
  passkeys: passkeys.script,
  recoveryCodes: recoveryCodes.script,
  sessions: sessions.script,
  apps: apps.script,
  activity: activity.script,
  budget: budget.script,
  deletion: deletion.script,
};

/** What the script of the page for recoveries says. */
export const recoverTexts = { ceremonies: ceremonyTexts, recover: recover.script };

export type RecoverTexts = typeof recoverTexts;
export type AccountScriptTexts = typeof scriptTexts;
