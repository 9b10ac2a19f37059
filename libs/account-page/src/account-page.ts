import { account } from '#page-scripts';
import { html, inlineScript, type Page, page, type SiteContext } from '#libs/ui-templates';
import { scriptTexts } from './account-texts.js';
import { dialog } from './page/dialog.js';
import { style } from './page/style.js';
import { budgetSection } from './sections/budget.js';
import { deletionSection } from './sections/deletion.js';
import { passkeysSection } from './sections/passkeys.js';
import { profileSection } from './sections/profile.js';
import { sessionsSection } from './sections/sessions.js';
import { page as words } from './texts/page.js';

export interface AccountContext extends SiteContext {
  readonly user: { readonly id: string; readonly displayName: string };
}

const script = inlineScript(account, scriptTexts);

/** In the order in which people see them; start-account.ts has their scripts. */
const sections = [passkeysSection, sessionsSection, budgetSection, deletionSection];

/** For whoever is signed in. Its script asks for what the sections show, and brings them up to date. */
export function accountPage({ user, ...context }: AccountContext): Page {
  return page(context, {
    title: html`${words.title}`,
    script,
    style,
    main: html`${profileSection(user)}
      <noscript><p class="notice warning">${words.noScript}</p></noscript>
      ${sections}
      <p id="status" class="toast" role="status"></p>
      ${dialog('question')} ${dialog('sign-in-again')}`,
  });
}
