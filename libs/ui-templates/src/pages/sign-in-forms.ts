import { html } from '../html/html.js';
import { liveRegion } from '../layout/page.js';
import { texts } from '../texts.js';
import { passkeysUnavailable } from './passkeys-unavailable.js';

const { signIn } = texts;

/**
 * Sign in or create an account, for the script that `signInScript` makes. `localhost` says where to go
 * from a loopback address: `{there}` instead of `{here}`, by `{link}`.
 */
export const signInForms = (origin: string, localhost: string) =>
  html`${passkeysUnavailable(origin, localhost)}
    <noscript><p class="notice warning">${signIn.noScript}</p></noscript>
    ${liveRegion('status')} ${knownSection} ${newSection}`;

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

const newSection = html`<section aria-labelledby="new-heading">
  <h2 id="new-heading">${signIn.newHeading}</h2>
  <p>${signIn.new}</p>
  <form id="create-account">
    <label for="name">${signIn.name}</label>
    <input
      id="name"
      name="name"
      maxlength="40"
      required
      autocomplete="name"
      aria-describedby="name-hint"
      aria-errormessage="name-fault"
    />
    <p id="name-fault" class="fault" role="alert"></p>
    <p id="name-hint" class="quiet">${signIn.nameHint}</p>
    <button type="submit" id="create" class="wide" disabled>${signIn.create}</button>
  </form>
</section>`;
