import { languageOf, type SiteContext } from '../layout/page.js';
import { oncePer } from '../html.js';
import { type PageTexts, type ScriptTexts } from '../texts/pages.en.js';
import { type AccountTexts, englishAccountTexts } from '../texts/account.en.js';

export interface AccountSiteContext extends SiteContext {
  /** In the language of the page; English by default. */
  readonly texts?: AccountTexts | undefined;
}

export const textsOf = ({ texts = englishAccountTexts }: AccountSiteContext): AccountTexts => texts;

/** The texts of the sign-in script, in words for a visit without an app. */
const ceremonyTexts = ({ script }: PageTexts, { signedOut }: AccountTexts): ScriptTexts => ({
  ...script,
  ...signedOut.script,
});

/** The texts of the account page's script, by section; all other texts are in the markup. */
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
  requests: texts.requests.script,
  apps: texts.apps.script,
  activity: texts.activity.script,
  budget: texts.budget.script,
  export: texts.export.script,
  deletion: texts.deletion.script,
});

const recoverScript = (page: PageTexts, texts: AccountTexts) => ({
  ceremonies: ceremonyTexts(page, texts),
  recover: texts.recover.script,
});

/** Always the same object per language, because its JSON is cached per object. */
function perLanguage<Made>(make: (page: PageTexts, texts: AccountTexts) => Made) {
  const made = oncePer((page: PageTexts) => oncePer((texts: AccountTexts) => make(page, texts)));
  return (context: AccountSiteContext) => made(languageOf(context).texts)(textsOf(context));
}

export const ceremonyTextsOf = perLanguage(ceremonyTexts);
export const accountScriptTextsOf = perLanguage(accountScript);
export const recoverTextsOf = perLanguage(recoverScript);

export type RecoverTexts = ReturnType<typeof recoverScript>;
export type AccountScriptTexts = ReturnType<typeof accountScript>;
