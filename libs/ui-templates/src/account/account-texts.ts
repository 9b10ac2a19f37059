import { languageOf, type SiteContext } from '../layout/page.js';
import { oncePer } from '../html.js';
import { type PageTexts, type ScriptTexts } from '../texts/pages.en.js';
import { type AccountTexts, englishAccountTexts } from '../texts/account.en.js';

/** What each of the pages here needs to know. */
export interface AccountSiteContext extends SiteContext {
  /** In the language of the page; English by default. */
  readonly texts?: AccountTexts | undefined;
}

export const textsOf = ({ texts = englishAccountTexts }: AccountSiteContext): AccountTexts => texts;

/** What the script of the sign-in page says. No app leads here, so no app leads on. */
const ceremonyTexts = ({ script }: PageTexts, { signedOut }: AccountTexts): ScriptTexts => ({
  ...script,
  ...signedOut.script,
});

/** What the script of the account page says, by section; the rest is in the markup. */
const accountScript = (page: PageTexts, texts: AccountTexts) => ({
  ceremonies: ceremonyTexts(page, texts),
  page: texts.page.script,
  signInAgain: texts.signInAgain.script,
  sessionOver: texts.sessionOver.script,
  overview: texts.overview.script,
  profile: texts.profile.script,
  passkeys: texts.passkeys.script,
  recoveryCodes: texts.recoveryCodes.script,
  sessions: texts.sessions.script,
  apps: texts.apps.script,
  activity: texts.activity.script,
  budget: texts.budget.script,
  deletion: texts.deletion.script,
});

/** What the script of the page for recoveries says. */
const recoverScript = (page: PageTexts, texts: AccountTexts) => ({
  ceremonies: ceremonyTexts(page, texts),
  recover: texts.recover.script,
});

/** One object for each language, as what is made of it is kept. */
function perLanguage<Made>(make: (page: PageTexts, texts: AccountTexts) => Made) {
  const made = oncePer((page: PageTexts) => oncePer((texts: AccountTexts) => make(page, texts)));
  return (context: AccountSiteContext) => made(languageOf(context).texts)(textsOf(context));
}

export const ceremonyTextsOf = perLanguage(ceremonyTexts);
export const accountScriptTextsOf = perLanguage(accountScript);
export const recoverTextsOf = perLanguage(recoverScript);

export type RecoverTexts = ReturnType<typeof recoverScript>;
export type AccountScriptTexts = ReturnType<typeof accountScript>;
