import { html } from '../html/html.js';
import { oncePer } from '../html/once-per.js';
import { languageOf, liveRegion, type SiteContext } from '../layout/page.js';
import type { PageTexts } from '../texts/page-texts.js';
import { newAccountSection } from './new-account.js';
import { passkeysUnavailable } from './passkeys-unavailable.js';

/**
 * Sign in or, where that is offered, create an account, for the script that `signInScript` makes. `localhost` says where to go
 * from a loopback address: `{there}` instead of `{here}`, by `{link}`.
 */
export function signInForms(context: SiteContext, localhost: string) {
  const { texts } = languageOf(context);
  return html`${passkeysUnavailable(texts, context.origin, localhost)}
    <noscript><p class="notice warning">${texts.signIn.noScript}</p></noscript>
    ${liveRegion('status')} ${knownSection(texts)} ${newAccountSection(texts, context.signUp)}`;
}

/**
 * The buttons stay disabled until the page script can answer them. The field is there for browsers
 * that suggest passkeys in one, and shown in these alone: whatever is typed into it stays there.
 */
const knownSection = oncePer(
  ({ signIn }: PageTexts) =>
    html`<section aria-labelledby="known-heading">
      <h2 id="known-heading">${signIn.knownHeading}</h2>
      <p id="known">${signIn.known}</p>
      <form id="sign-in-form">
        <div id="suggestions" hidden>
          <label for="account"
            >${signIn.account} <span class="quiet">(${signIn.accountHint})</span></label
          >
          <input id="account" autocomplete="username webauthn" maxlength="40" />
        </div>
        <button type="submit" id="sign-in" class="main wide" disabled>${signIn.button}</button>
      </form>
    </section>`,
);
