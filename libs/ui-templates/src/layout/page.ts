import { randomBytes } from 'node:crypto';
import { fill, type Fragment, Html, html, oncePer } from '../html.js';
import type { TextByTag } from '../locale/locale.js';
import { builtInPageLanguages, type PageLanguage } from '../texts/languages.js';
import { type Brand, preparedBrand } from './brand.js';
import { contentSecurityPolicy } from './content-security-policy.js';
import { commonStyle } from './style.js';

/** A bundle of `#page-scripts`, which reads its texts from the element before it: the same in every language. */
export const inlineScript = (bundle: string) =>
  insideScriptElement(
    `${bundle}(JSON.parse(document.getElementById('${SCRIPT_TEXTS}').textContent));`,
  );

/** Id of the element that contains the script's texts as JSON. */
const SCRIPT_TEXTS = 'script-texts';

const escaped = (character: string) =>
  String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * The texts as JSON for that element. Typographic marks are escaped: a single two-byte character would double the
 * memory of an otherwise one-byte page and triple the time to send it.
 */
export const scriptTexts = oncePer((texts: object) =>
  JSON.stringify(texts).replaceAll(/[<\u2010-\u2027]/g, escaped),
);

/** Throws when the text would end its script element early, or keep it from ending. */
export function insideScriptElement(text: string) {
  if (/<\/script|<script|<!--/i.test(text)) throw new Error('not fit for a script element');
  return text;
}

export interface Page {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly html: string;
}

export interface AppView {
  readonly name: string;
  /** Hostname of the client identifier; null when the app registered itself and its name is unverified. */
  readonly published: string | null;
  /** When the app registered itself; distinguishes it from other apps with the same name. */
  readonly registeredAt?: Date | undefined;
}

/** Leads to a way to sign in that a team added. */
export interface SignInLink {
  readonly text: string;
  /** The text in other languages, by BCP 47 tag. */
  readonly texts?: TextByTag;
  /** A path of this service, which may have a query. */
  readonly path: string;
}

export interface SiteContext {
  readonly serviceName: string;
  readonly origin: string;
  /** Whether visitors without an account may create one; `open` by default. */
  readonly signUp?: 'open' | 'invite' | 'closed';
  /** Other ways to sign in, for the pages that offer to; none by default. */
  readonly signInLinks?: readonly SignInLink[] | undefined;
  readonly brand?: Brand | undefined;
  /** The language of the page; English by default. */
  readonly language?: PageLanguage;
}

export const languageOf = ({ language }: SiteContext): PageLanguage =>
  language ?? builtInPageLanguages.fallback;

/** The context of a page that an app leads to, and whose answer returns to the app. */
export interface PageContext extends SiteContext {
  readonly app: AppView;
  /** `uri` is the full redirect URI. */
  readonly redirect: { readonly uri: string };
  readonly extraFormActions: readonly string[];
}

/** Where the page's forms may lead in addition to the service itself. */
type FormTargets = Partial<Pick<PageContext, 'redirect' | 'extraFormActions'>>;

interface PageScript {
  readonly code: string;
  /** The script's texts: the same object for each language every time, because the result is cached per object. */
  readonly texts: object;
}

export interface Contents {
  /** 200 by default. */
  readonly status?: number | undefined;
  readonly title: Html;
  readonly main: Html;
  /** A page without a script runs none. */
  readonly script?: PageScript;
  /** CSS of this page, after the shared style and before the brand's. */
  readonly style?: string | undefined;
}

/** The same on every page; beside the policy, what a proxy is most likely to replace. */
export const FIXED_HEADERS = {
  'Referrer-Policy': 'same-origin',
  'X-Frame-Options': 'DENY',
} as const;

/** Throws TypeError where a redirect URI, a form action or the brand does not fit the policy or the page. */
export function page(context: SiteContext & FormTargets, contents: Contents): Page {
  const { serviceName, extraFormActions, redirect, brand = NO_BRAND } = context;
  const { status = 200, title, main, script, style = '' } = contents;
  const { tag, direction, texts } = languageOf(context);
  const look = preparedBrand(brand);
  const nonce = randomBytes(16).toString('base64url');
  const policy = contentSecurityPolicy({ nonce, extraFormActions, redirectUri: redirect?.uri });
  return {
    status,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': 'no-store',
      'X-Content-Type-Options': 'nosniff',
      ...FIXED_HEADERS,
      'Content-Security-Policy': policy,
      'Content-Language': tag,
      Vary: 'Accept-Language',
    },
    html: String(
      html`<!doctype html>
        <html lang="${tag}" dir="${direction}">
          <head>
            <meta charset="utf-8" />
            <meta name="viewport" content="width=device-width, initial-scale=1" />
            <meta name="robots" content="noindex" />
            <title>${fill(texts.title, { title, service: serviceName })}</title>
            <style nonce="${nonce}">
              ${Html.trusted(commonStyle + style + look.style)}
            </style>
          </head>
          <body>
            <header>${look.header(serviceName)}</header>
            <main>${main}</main>
            ${look.footer(tag)} ${script === undefined ? '' : scriptElement(nonce, script)}
          </body>
        </html> `,
    ),
  };
}

const NO_BRAND: Brand = {};

/** The texts are data, which the policy does not restrict. */
const scriptElement = (nonce: string, { code, texts }: PageScript) =>
  html`<script type="application/json" id="${SCRIPT_TEXTS}">
      ${Html.trusted(scriptTexts(texts))}
    </script>
    <script nonce="${nonce}">
      ${Html.trusted(code)};
    </script>`;

export const liveRegion = (id: 'status' | 'account-status') =>
  html`<p id="${id}" class="status" role="status"></p>`;

/** A required text field with its hint, and a place for what its script says is wrong with it. */
export const field = (id: string, label: string, hint: Fragment, attributes: Html) =>
  html`<label for="${id}">${label}</label>
    <input
      id="${id}"
      ${attributes}
      required
      aria-describedby="${id}-hint"
      aria-errormessage="${id}-fault"
    />
    <p id="${id}-fault" class="fault" role="alert"></p>
    <p id="${id}-hint" class="quiet">${hint}</p>`;

/** `rows` are `tr` elements; `attributes` begin with a space. */
export const table = (
  columns: readonly Fragment[],
  rows: readonly Html[],
  attributes: Fragment = '',
) =>
  html`<table${attributes}>
    <thead>
      <tr>
        ${columns.map((column) => html`<th scope="col">${column}</th>`)}
      </tr>
    </thead>
    <tbody>
      ${rows}
    </tbody>
  </table>`;

/** For a field that takes a code. */
export const CODE_ATTRIBUTES = html`dir="ltr" autocomplete="off" autocapitalize="characters"
spellcheck="false"`;
