import { bdi, fill, html } from '../html/html.js';
import { signInScript } from '../layout/inline-script.js';
import { languageOf, type Page, type PageContext, page } from '../layout/page.js';
import { aboutApp } from './about-app.js';
import { signInForms } from './sign-in-forms.js';

/** For visitors who are signed out: sign in with a passkey, or create an account with one. */
export function signInPage(context: PageContext): Page {
  const { texts } = languageOf(context);
  const { signIn, passkeysUnavailable } = texts;
  return page(context, {
    title: html`${signIn.title}`,
    script: { code: signInScript, texts: texts.script },
    main: html`<h1>${fill(signIn.heading, { app: bdi(context.app.name) })}</h1>
      ${aboutApp(context)} ${signInForms(context, passkeysUnavailable.localhost)}`,
  });
}
