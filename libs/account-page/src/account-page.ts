import { account } from '#page-scripts';
import { bdi, html, inlineScript, type Page, page, type SiteContext } from '#libs/ui-templates';
import { accountTexts, scriptTexts } from './account-texts.js';
import { style } from './page/style.js';
import { budgetSection } from './sections/budget.js';

export interface AccountContext extends SiteContext {
  readonly user: { readonly id: string; readonly displayName: string };
}

const { page: words } = accountTexts;
const script = inlineScript(account, scriptTexts);

/** In the order in which people see them. */
const sections = [budgetSection];

/** For whoever is signed in. Its script asks for what the sections show, and brings them up to date. */
export function accountPage({ user, ...context }: AccountContext): Page {
  return page(context, {
    title: html`${words.title}`,
    script,
    style,
    main: html`<div class="card who" id="profile" data-user="${user.id}">
        <h1 id="display-name">${bdi(user.displayName)}</h1>
        <button type="button" id="sign-out" disabled>${words.signOut}</button>
      </div>
      <noscript><p class="notice warning">${words.noScript}</p></noscript>
      <p id="status" class="status" role="status"></p>
      ${sections}`,
  });
}
