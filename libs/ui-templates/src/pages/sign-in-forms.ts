import { html } from '../html/html.js';
import { liveRegion, type SiteContext } from '../layout/page.js';
import { texts } from '../texts.js';
import { newAccountSection } from './new-account.js';
import { passkeysUnavailable } from './passkeys-unavailable.js';

const { signIn } = texts;

/**
 * Sign in or, where that is offered, create an account, for the script that `signInScript` makes. `localhost` says where to go
 * from a loopback address: `{there}` instead of `{here}`, by `{link}`.
 */
export const signInForms = ({ origin, signUp }: SiteContext, localhost: string) =>
  html`${passkeysUnavailable(origin, localhost)}
    <noscript><p class="notice warning">${signIn.noScript}</p></noscript>
    ${liveRegion('status')} ${knownSection} ${newAccountSection(signUp)}`;

/**
 * The buttons stay disabled until the page script can answer them. The field is there for browsers
 * that suggest passkeys in one, and shown in these alone: whatever is typed into it stays there.
 */
const knownSection = html`<section aria-labelledby="known-heading">
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
</section>`;
