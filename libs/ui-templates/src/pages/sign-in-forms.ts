import { type Fragment, html } from '../html/html.js';
import { oncePer } from '../html/once-per.js';
import { languageOf, liveRegion, type SiteContext } from '../layout/page.js';
import type { PageTexts } from '../texts/en.js';
import { newAccountSection } from './new-account.js';
import { passkeysUnavailable } from './passkeys-unavailable.js';

/**
 * The forms to sign in and, where offered, to create an account, for the script that `signInScript` contains.
 * `localhost` is the text that leads away from a loopback address: `{there}` instead of `{here}`, by `{link}`.
 * `otherWay` is placed between the forms.
 */
export function signInForms(context: SiteContext, localhost: string, otherWay: Fragment = '') {
  const { texts } = languageOf(context);
  return html`${passkeysUnavailable(texts, context.origin, localhost)}
    <noscript><p class="notice warning">${texts.signIn.noScript}</p></noscript>
    ${liveRegion('status')} ${knownSection(texts)} ${otherWay}
    ${newAccountSection(texts, context.signUp)}`;
}

/** The button stays disabled until the page script can handle it. */
const knownSection = oncePer(
  ({ signIn }: PageTexts) =>
    html`<section aria-labelledby="known-heading">
      <h2 id="known-heading">${signIn.knownHeading}</h2>
      <p id="known">${signIn.known}</p>
      <button type="button" id="sign-in" class="main wide" disabled>${signIn.button}</button>
    </section>`,
);
