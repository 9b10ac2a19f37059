import type { AccountTexts } from './english.js';
import { activity } from './he/activity.js';
import { apps } from './he/apps.js';
import { budget } from './he/budget.js';
import { deletion } from './he/deletion.js';
import { overview } from './he/overview.js';
import { page } from './he/page.js';
import { passkeys } from './he/passkeys.js';
import { profile } from './he/profile.js';
import { recover } from './he/recover.js';
import { recoveryCodes } from './he/recovery-codes.js';
import { recovered } from './he/recovered.js';
import { sessionOver } from './he/session-over.js';
import { sessions } from './he/sessions.js';
import { signInAgain } from './he/sign-in-again.js';
import { signedOut } from './he/signed-out.js';

export const hebrew: AccountTexts = {
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
