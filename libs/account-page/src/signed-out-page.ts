import {
  builtInPageLanguages,
  fill,
  html,
  type Page,
  page,
  signInForms,
  signInScript,
  type SiteContext,
} from '#libs/ui-templates';
import { ceremonyTexts } from './account-texts.js';
import { signedOut } from './texts/signed-out.js';

const common = builtInPageLanguages.fallback.texts;

/** Sign in or create an account, without any app that asks for it. */
export function signedOutPage(context: SiteContext): Page {
  return page(context, {
    title: html`${common.signIn.title}`,
    script: { code: signInScript, texts: ceremonyTexts },
    main: html`<h1>${fill(signedOut.heading, { service: context.serviceName })}</h1>
      ${signInForms(context, common.passkeysUnavailable.localhostHere)}
      <section aria-labelledby="lost-heading">
        <h2 id="lost-heading">${signedOut.lostHeading}</h2>
        <p>${signedOut.lost}</p>
        <p><a href="/svc/account/recover">${signedOut.recover}</a></p>
      </section>`,
  });
}
