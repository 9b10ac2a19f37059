import { type Fragment, html } from '../html/html.js';
import { oncePer } from '../html/once-per.js';
import { languageOf, liveRegion, type SiteContext } from '../layout/page.js';
import type { PageTexts } from '../texts/en.js';
import { newAccountSection } from './new-account.js';
import { passkeysUnavailable } from './passkeys-unavailable.js';

/**
 * Sign in or, where that is offered, create an account, for the script that `signInScript` makes. `localhost` says where to go
 * from a loopback address: `{there}` instead of `{here}`, by `{link}`. `otherWay` stands between the two.
 */
export function signInForms(context: SiteContext, localhost: string, otherWay: Fragment = '') {
  const { texts } = languageOf(context);
  return html`${passkeysUnavailable(texts, context.origin, localhost)}
    <noscript><p class="notice warning">${texts.signIn.noScript}</p></noscript>
    ${liveRegion('status')} ${knownSection(texts)} ${otherWay}
    ${newAccountSection(texts, context.signUp)}`;
}

/** The button stays disabled until the page script can answer it. */
const knownSection = oncePer(
  ({ signIn }: PageTexts) =>
    html`<section aria-labelledby="known-heading">
      <h2 id="known-heading">${signIn.knownHeading}</h2>
      <p id="known">${signIn.known}</p>
      <button type="button" id="sign-in" class="main wide" disabled>${signIn.button}</button>
    </section>`,
);
