import { type Html, html } from '../html/html.js';
import type { SiteContext } from '../layout/page.js';
import type { PageTexts } from '../texts/en.js';

type Words = PageTexts['signIn'];

/**
 * The section to create an account with a passkey, or a note that sign-up is closed. The page script enables its
 * button.
 */
export const newAccountSection = ({ signIn }: PageTexts, signUp: SiteContext['signUp'] = 'open') =>
  html`<section class="second" aria-labelledby="new-heading">
    <h2 id="new-heading">${signIn.newHeading}</h2>
    ${signUp === 'closed' ? html`<p>${signIn.closed}</p>` : newAccountForm(signIn, signUp === 'invite')}
  </section>`;

const newAccountForm = (signIn: Words, isInvited: boolean) =>
  html`<p>${signIn.new}</p>
    <form id="create-account">
      ${isInvited ? inviteField(signIn) : ''} ${nameField(signIn)}
      <button type="submit" id="create" class="wide" disabled>${signIn.create}</button>
    </form>`;

/** In this field browsers also suggest passkeys to people who already have one. */
const nameField = (signIn: Words) =>
  html`<label for="name">${signIn.name}</label>
    <input
      id="name"
      name="name"
      maxlength="40"
      required
      autocomplete="username webauthn"
      aria-describedby="name-hint"
      aria-errormessage="name-fault"
    />
    ${beneath('name', signIn.nameHint)}`;

const inviteField = (signIn: Words) =>
  html`<label for="invite">${signIn.invite}</label>
    <input
      id="invite"
      name="invite"
      dir="ltr"
      maxlength="64"
      required
      autocomplete="off"
      autocapitalize="characters"
      spellcheck="false"
      aria-describedby="invite-hint"
      aria-errormessage="invite-fault"
    />
    ${beneath('invite', signIn.inviteHint)}`;

function beneath(id: string, hint: string): Html {
  return html`<p id="${id}-fault" class="fault" role="alert"></p>
    <p id="${id}-hint" class="quiet">${hint}</p>`;
}
