import { account } from '#page-scripts';
import { html } from '../html/html.js';
import { inlineScript } from '../layout/inline-script.js';
import { languageOf, type Page, page } from '../layout/page.js';
import { accountScriptTextsOf, type AccountSiteContext, textsOf } from './account-texts.js';
import { dialog } from './page/dialog.js';
import { style } from './page/style.js';
import { activitySection } from './sections/activity.js';
import { appsSection, type GrantedAccess } from './sections/apps.js';
import { budgetSection } from './sections/budget.js';
import { deletionSection } from './sections/deletion.js';
import { sectionLinks } from './sections/overview.js';
import { passkeysSection } from './sections/passkeys.js';
import { profileSection } from './sections/profile.js';
import { recoveredSection } from './sections/recovered.js';
import { recoveryCodesSection } from './sections/recovery-codes.js';
import { sessionsSection } from './sections/sessions.js';

export interface AccountContext extends AccountSiteContext {
  readonly user: { readonly id: string; readonly displayName: string };
  /** When the session began, in epoch seconds, if it began with a recovery. */
  readonly recoveredAt?: number | undefined;
  /** Without it scopes are shown by their names. */
  readonly access?: GrantedAccess;
}

const script = inlineScript(account);

/** In the order in which people see them; start-account.ts has their scripts. */
function sections(context: AccountContext) {
  const { origin, recoveredAt, access = { scopes: [] } } = context;
  const texts = textsOf(context);
  return [
    recoveredAt === undefined ? '' : recoveredSection(texts, recoveredAt),
    passkeysSection(texts),
    recoveryCodesSection(texts),
    sessionsSection(texts),
    appsSection(texts, { origin, access, tag: languageOf(context).tag }),
    activitySection(texts),
    budgetSection(texts),
    deletionSection(texts),
  ];
}

/** For the signed-in user. Its script requests what the sections show, and keeps them up to date. */
export function accountPage(context: AccountContext): Page {
  const texts = textsOf(context);
  return page(context, {
    title: html`${texts.page.title}`,
    script: { code: script, texts: accountScriptTextsOf(context) },
    style,
    main: html`${profileSection(texts, context.user)} ${sectionLinks(texts)}
      <noscript><p class="notice warning">${texts.page.noScript}</p></noscript>
      ${sections(context)}
      <p id="status" class="toast" role="status"></p>
      ${dialog(texts, 'question')} ${dialog(texts, 'sign-in-again')}
      ${dialog(texts, 'session-over')}`,
  });
}
