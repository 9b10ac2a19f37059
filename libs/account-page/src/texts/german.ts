import type { AccountTexts } from './english.js';
import { activity } from './de/activity.js';
import { apps } from './de/apps.js';
import { budget } from './de/budget.js';
import { deletion } from './de/deletion.js';
import { overview } from './de/overview.js';
import { page } from './de/page.js';
import { passkeys } from './de/passkeys.js';
import { profile } from './de/profile.js';
import { recover } from './de/recover.js';
import { recoveryCodes } from './de/recovery-codes.js';
import { recovered } from './de/recovered.js';
import { sessionOver } from './de/session-over.js';
import { sessions } from './de/sessions.js';
import { signInAgain } from './de/sign-in-again.js';
import { signedOut } from './de/signed-out.js';

export const german: AccountTexts = {
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
