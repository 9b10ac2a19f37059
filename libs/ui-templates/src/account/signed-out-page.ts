import { bdi, fill, html } from '../html.js';
import { languageOf, type Page, page } from '../layout/page.js';
import { signInLinksStyle } from '../pages/sign-in-links.js';
import { signInForms, signInScript } from '../pages/sign-in-page.js';
import { type AccountSiteContext, ceremonyTextsOf, textsOf } from './account-texts.js';
import type { AccountTexts } from '../texts/account.en.js';

/** Sign in or create an account, without any app that asks for it. */
export function signedOutPage(context: AccountSiteContext): Page {
  const { signIn, passkeysUnavailable } = languageOf(context).texts;
  const { signedOut } = textsOf(context);
  return page(context, {
    title: html`${signIn.title}`,
    script: { code: signInScript, texts: ceremonyTextsOf(context) },
    style: signInLinksStyle(context),
    main: html`<h1>${fill(signedOut.heading, { service: bdi(context.serviceName) })}</h1>
      ${signInForms(context, passkeysUnavailable.localhostHere, lostPasskeys(signedOut))}`,
  });
}

const lostPasskeys = ({ lostHeading }: AccountTexts['signedOut']) =>
  html`<p class="other-way"><a href="/svc/account/recover">${lostHeading}</a></p>`;
