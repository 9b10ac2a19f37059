import { bdi, fill, html } from '../html/html.js';
import { signInScript } from '../layout/inline-script.js';
import { type Page, type PageContext, page } from '../layout/page.js';
import { texts } from '../texts.js';
import { aboutApp } from './about-app.js';
import { signInForms } from './sign-in-forms.js';

const { signIn, passkeysUnavailable } = texts;
const script = signInScript(texts.script);

/** For visitors who are signed out: sign in with a passkey, or create an account with one. */
export function signInPage(context: PageContext): Page {
  return page(context, {
    title: html`${signIn.title}`,
    script,
    main: html`<h1>${fill(signIn.heading, { app: bdi(context.app.name) })}</h1>
      ${aboutApp(context)} ${signInForms(context, passkeysUnavailable.localhost)}`,
  });
}
