import { signIn as bundle } from '#page-scripts';
import { bdi, fill, type Fragment, html, oncePer } from '../html.js';
import {
  CODE_ATTRIBUTES,
  field,
  inlineScript,
  languageOf,
  liveRegion,
  type Page,
  page,
  type PageContext,
  type SiteContext,
} from '../layout/page.js';
import type { PageTexts } from '../texts/pages.en.js';
import { signInLinksOf, signInLinksStyle } from './sign-in-links.js';
import { aboutApp, isIpAddress, localhostOrigin, strong } from './about-app.js';

export const signInScript = inlineScript(bundle);

/** Where to go when passkeys cannot work here; the page script adds what only the browser knows. */
const unavailableHint = (texts: PageTexts, origin: string, localhost: string) =>
  isIpAddress(new URL(origin).hostname)
    ? addressHint(texts.passkeysUnavailable, origin, localhost)
    : unsupportedHint(texts.passkeysUnavailable);

type UnavailableWords = PageTexts['passkeysUnavailable'];

function addressHint(words: UnavailableWords, origin: string, localhost: string) {
  const there = localhostOrigin(origin);
  const elsewhere = there && {
    here: bdi(origin),
    there: bdi(strong(there)),
    link: html`<a id="localhost-link" href="${there}">${words.localhostLink}</a>`,
  };
  return html`<section id="address-hint" class="notice warning" aria-labelledby="address-heading">
    <h2 id="address-heading">${words.addressHeading}</h2>
    <p>${fill(words.address, { host: bdi(new URL(origin).hostname) })}</p>
    <p>${elsewhere ? fill(localhost, elsewhere) : words.noHostName}</p>
  </section>`;
}

const unsupportedHint = oncePer(
  (words: UnavailableWords) =>
    html`<section
      id="unsupported"
      class="notice warning"
      aria-labelledby="unsupported-heading"
      hidden
    >
      <h2 id="unsupported-heading">${words.unsupportedHeading}</h2>
      <p>${words.unsupported}</p>
      <label for="link">${words.link}</label>
      <input id="link" dir="ltr" readonly />
      <button type="button" id="copy" class="main wide">${words.copy}</button>
    </section>`,
);

/** To create an account with a passkey, or a note that sign-up is closed. The page script enables the button. */
const newAccountSection = ({ signIn }: PageTexts, signUp: SiteContext['signUp'] = 'open') =>
  html`<section class="second" aria-labelledby="new-heading">
    <h2 id="new-heading">${signIn.newHeading}</h2>
    ${signUp === 'closed' ? html`<p>${signIn.closed}</p>` : newAccountForm(signIn, signUp === 'invite')}
  </section>`;

const newAccountForm = (signIn: PageTexts['signIn'], isInvited: boolean) =>
  html`<p>${signIn.new}</p>
    <form id="create-account">
      ${isInvited ? field('invite', signIn.invite, signIn.inviteHint, INVITE_ATTRIBUTES) : ''}
      ${field('name', signIn.name, signIn.nameHint, NAME_ATTRIBUTES)}
      <button type="submit" id="create" class="wide" disabled>${signIn.create}</button>
    </form>`;

/** In this field browsers also suggest passkeys to people who already have one. */
const NAME_ATTRIBUTES = html`name="name" maxlength="40" autocomplete="username webauthn"`;
const INVITE_ATTRIBUTES = html`name="invite" maxlength="64" ${CODE_ATTRIBUTES}`;

/**
 * The forms to sign in and, where offered, to create an account, for the script that `signInScript` contains.
 * `localhost` is the text that leads away from a loopback address: `{there}` instead of `{here}`, by `{link}`.
 * `otherWay` is placed between the forms. The page needs the style of `signInLinksStyle`.
 */
export function signInForms(context: SiteContext, localhost: string, otherWay: Fragment = '') {
  const { texts } = languageOf(context);
  return html`${unavailableHint(texts, context.origin, localhost)}
    <noscript><p class="notice warning">${texts.signIn.noScript}</p></noscript>
    ${liveRegion('status')} ${knownSection(texts)}${signInLinksOf(context)} ${otherWay}
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

/** For visitors who are signed out: sign in with a passkey, or create an account with one. */
export function signInPage(context: PageContext): Page {
  const { texts } = languageOf(context);
  const { signIn, passkeysUnavailable } = texts;
  return page(context, {
    title: html`${signIn.title}`,
    script: { code: signInScript, texts: texts.script },
    style: signInLinksStyle(context),
    main: html`<h1>${fill(signIn.heading, { app: bdi(context.app.name) })}</h1>
      ${aboutApp(context)} ${signInForms(context, passkeysUnavailable.localhost)}`,
  });
}
