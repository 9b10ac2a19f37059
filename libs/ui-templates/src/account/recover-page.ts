import { recover as script } from '#page-scripts';
import { bdi, fill, html } from '../html.js';
import {
  CODE_ATTRIBUTES,
  field,
  inlineScript,
  liveRegion,
  type Page,
  page,
} from '../layout/page.js';
import { type AccountSiteContext, recoverTextsOf, textsOf } from './account-texts.js';
import type { AccountTexts } from '../texts/account.en.js';

export interface RecoverContext extends AccountSiteContext {
  readonly userName: string | undefined;
}

/** In the format in which recovery codes are shown. */
const EXAMPLE = '7Q2M-X0VK-9DTA-3HRB-C41E-WZ8N';

const code = inlineScript(script);

type Words = AccountTexts['recover'];

const style = `
#code { font-family: ui-monospace, 'SF Mono', Menlo, Consolas, monospace; }
#act { margin-top: 0.5rem; }
`;

/** Takes a recovery code: typed, pasted, or from the fragment of an administrator's link. */
export function recoverPage({ userName, ...context }: RecoverContext): Page {
  const { recover } = textsOf(context);
  return page(context, {
    title: html`${recover.title}`,
    script: { code, texts: recoverTextsOf(context) },
    style,
    main: html`<h1>${recover.title}</h1>
      <p>${recover.about}</p>
      ${userName === undefined ? '' : signedInNotice(recover, userName)}
      <noscript><p class="notice warning">${recover.noScript}</p></noscript>
      ${form(recover)} ${otherWays(recover)}`,
  });
}

const signedInNotice = (recover: Words, userName: string) =>
  html`<p class="notice">
    ${fill(recover.signedIn, {
      user: html`<strong>${bdi(userName)}</strong>`,
      account: html`<a href="/svc/account">${recover.account}</a>`,
    })}
  </p>`;

/** The field has no name, so that without the script its value does not get into an address. */
function form({ label, hint, act }: Words) {
  const example = html`<code dir="ltr">${EXAMPLE}</code>`;
  return html`<form id="recover" method="post">
    ${field('code', label, fill(hint, { example }), CODE_ATTRIBUTES)}
    <button type="submit" id="act" class="main wide" disabled>${act}</button>
    ${liveRegion('status')}
  </form>`;
}

const otherWays = (recover: Words) =>
  html`<section aria-labelledby="none-heading">
      <h2 id="none-heading">${recover.noneHeading}</h2>
      <p>${recover.none}</p>
    </section>
    <section aria-labelledby="sign-in-heading">
      <h2 id="sign-in-heading">${recover.signInHeading}</h2>
      <p><a href="/svc/account">${recover.signIn}</a></p>
    </section>`;
