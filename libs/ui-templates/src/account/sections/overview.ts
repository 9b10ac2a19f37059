import { html } from '../../html/html.js';
import type { AccountTexts } from '../texts/en.js';

/** A one-line summary of the account; page-script/sections/overview.ts fills it in. */
export const overviewLine = html`<p id="overview" class="quiet"></p>`;

/** Links to the sections of the page. */
export const sectionLinks = (texts: AccountTexts) => {
  const { overview, passkeys, recoveryCodes, sessions, apps, activity, budget, deletion } = texts;
  return html`<nav aria-label="${overview.sections}">
    <ul>
      ${link('passkeys', passkeys)} ${link('recovery-codes', recoveryCodes)}
      ${link('sessions', sessions)} ${link('apps', apps)} ${link('activity', activity)}
      ${link('budget', budget)} ${link('deletion', deletion)}
    </ul>
  </nav>`;
};

const link = (id: string, { heading }: { readonly heading: string }) =>
  html`<li><a href="#${id}">${heading}</a></li>`;
