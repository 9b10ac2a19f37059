import { activity } from './en/activity.js';
import { apps } from './en/apps.js';
import { budget } from './en/budget.js';
import { deletion } from './en/deletion.js';
import { overview } from './en/overview.js';
import { page } from './en/page.js';
import { passkeys } from './en/passkeys.js';
import { profile } from './en/profile.js';
import { recover } from './en/recover.js';
import { recoveryCodes } from './en/recovery-codes.js';
import { recovered } from './en/recovered.js';
import { sessionOver } from './en/session-over.js';
import { sessions } from './en/sessions.js';
import { signInAgain } from './en/sign-in-again.js';
import { signedOut } from './en/signed-out.js';

/** What the account page and those around it say; other languages have the same records. */
export const english = {
  activity,
  apps,
  budget,
  deletion,
  overview,
  page,
  passkeys,
  profile,
  recover,
  recovered,
  recoveryCodes,
  sessionOver,
  sessions,
  signInAgain,
  signedOut,
};

export type AccountTexts = typeof english;
