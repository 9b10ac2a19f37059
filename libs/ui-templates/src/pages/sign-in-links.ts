import { html, type Html } from '../html.js';
import { languageOf, type SignInLink, type SiteContext } from '../layout/page.js';
import { textFor } from '../locale/locale.js';

/** For the `style` of a page with these links. */
const STYLE = `
.sign-in-links { margin: 0.75rem 0 0; padding: 0; list-style: none; }
.sign-in-links li + li { margin-top: 0.75rem; }
.sign-in-links a { display: flex; align-items: center; justify-content: center; min-height: 2.75rem; padding: 0.5rem 1.25rem; font-weight: 600; text-align: center; text-decoration: none; border: 1px solid var(--accent); border-radius: 0.5rem; }
.sign-in-links a:hover { background: var(--tint); }
.decision .sign-in-links { flex: 1 0 100%; margin: 0; }
`;

/** Undefined, as without links, so that the page stays as it is. */
export const signInLinksStyle = ({ signInLinks = [] }: SiteContext) =>
  signInLinks.length === 0 ? undefined : STYLE;

/** The other ways to sign in, in the language of the page as far as they have texts in it; empty without any. */
export function signInLinksOf(context: SiteContext): Html | '' {
  const { signInLinks = [] } = context;
  const { tag } = languageOf(context);
  const linkItem = ({ text, texts, path }: SignInLink) =>
    html`<li><a href="${path}" dir="auto">${textFor(tag, texts) ?? text}</a></li>`;
  return signInLinks.length === 0
    ? ''
    : html`<ul class="sign-in-links">
        ${signInLinks.map(linkItem)}
      </ul>`;
}
