import { request as bundle } from '#page-scripts';
import { bdi, fill, type Fragment, type Html, html } from '../html.js';
import {
  inlineScript,
  languageOf,
  liveRegion,
  type Page,
  page,
  type SiteContext,
  table,
} from '../layout/page.js';
import { hasUnseen, shownText } from '../shown-text.js';
import type { PageLanguage } from '../texts/languages.js';
import { hostName, publisherRow, row, signedInAs, strong } from './about-app.js';
import { minutesWords, time } from './figures.js';

const requestScript = inlineScript(bundle);

export type RequestState = 'open' | 'once' | 'always' | 'no' | 'expired';

/** A request as its route shows it; moments are in epoch seconds. */
export interface RequestView {
  readonly id: string;
  /** Id of the connection that asks. */
  readonly connection: string;
  readonly app: string;
  /** Host of the document that describes the app; null where it registered itself. */
  readonly published: string | null;
  /** `permission` where the scope is off. */
  readonly kind: 'call' | 'permission';
  readonly method: string;
  /** Of the tool or prompt, or the URI of the resource. */
  readonly name: string;
  readonly title: string;
  /** The open page that the call is for. */
  readonly page: { readonly title: string; readonly url: string } | null;
  /** Null once the request has ended; a text, the beginning of the whole, where they are truncated. */
  readonly arguments: object | string | null;
  readonly truncated: boolean;
  readonly passkey: boolean;
  readonly expiresAt: number;
  readonly state: RequestState;
}

export interface RequestContext extends SiteContext {
  readonly userName: string;
  readonly request: RequestView;
  /** What the scope of the call allows, in the language of the page; it continues "It can". */
  readonly permission: string;
  /** Whether `always` can be answered. */
  readonly canAllowAlways: boolean;
  /** Epoch seconds. */
  readonly now: number;
  /** Whether an answer has just arrived after the request had ended. */
  readonly isLate?: boolean;
}

type Words = PageLanguage['texts']['request'];

/** What a name means in a sentence: names of others, isolated, and the app's page. */
type Names = Readonly<Record<'app' | 'tool' | 'page' | 'permission' | 'link', Fragment>>;

/**
 * For the signed-in person whom an app asks before a call. The form posts `decision` to the page's own address; where
 * the request takes a passkey, the page's script allows, by the routes under `/svc/me/requests`.
 */
export function requestPage(context: RequestContext): Page {
  const language = languageOf(context);
  const { texts } = language;
  const { request, now } = context;
  const state = request.state === 'open' && request.expiresAt <= now ? 'expired' : request.state;
  const names = namesOf(language, context);
  return page(context, {
    title: fill(texts.request.title, { app: request.app }),
    script: { code: requestScript, texts: texts.script },
    style: requestStyle,
    main: html`<h1>${heading(texts.request, request, names)}</h1>
      ${signedInAs(texts, context.userName)}
      ${context.isLate ? html`<p class="notice warning">${texts.request.late}</p>` : ''}
      ${aboutRequest(language, request)}
      ${state === 'open' ? question(language, context, names) : outcome(texts.request, state, names)}`,
  });
}

/** For an id of another account, or of a request that ended too long ago. */
export function requestGonePage(context: SiteContext): Page {
  const { request } = languageOf(context).texts;
  return page(context, {
    status: 404,
    title: html`${request.goneTitle}`,
    main: html`<h1>${request.goneTitle}</h1>
      <p>${request.gone}</p>
      ${toAccount(request)}`,
  });
}

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host : url);

function namesOf({ texts }: PageLanguage, { request, permission }: RequestContext): Names {
  const { app, title, page: of, connection } = request;
  const address = `/svc/account/apps/${encodeURIComponent(connection)}`;
  return {
    app: bdi(app),
    tool: bdi(shownText(title)),
    page: bdi(shownText(of === null ? '' : of.title || hostOf(of.url))),
    permission: bdi(permission),
    link: html`<a href="${address}">${texts.request.appPage}</a>`,
  };
}

function heading(words: Words, { method, page: of }: RequestView, names: Names): Html {
  if (method === 'resources/read') return fill(words.resource, names);
  if (method === 'prompts/get') return fill(words.prompt, names);
  return fill(of === null ? words.tool : words.toolOn, names);
}

function aboutRequest(language: PageLanguage, request: RequestView) {
  const { request: words } = language.texts;
  const { title, name, page: of } = request;
  const own = html`<code>${shownText(name)}</code>`;
  return html`<dl aria-label="${words.about}">
    ${row(words.app, strong(bdi(request.app)))} ${publisherRow(language, request)}
    ${row(words.action, title === name ? own : html`${bdi(shownText(title))} ${own}`)}
    ${of === null ? '' : row(words.page, html`${bdi(shownText(of.title))} (${hostName(hostOf(of.url))})`)}
  </dl>`;
}

function question(language: PageLanguage, context: RequestContext, names: Names) {
  const { request: words, consent, signIn, passkeysUnavailable } = language.texts;
  const { request, canAllowAlways, now } = context;
  const { kind, passkey, expiresAt } = request;
  const isPermission = kind === 'permission';
  const cause = canAllowAlways ? words.askedFor : words.confirms;
  const minutes = Math.max(1, Math.ceil((expiresAt - now) / 60));
  return html`<p id="why">${fill(isPermission ? words.notPermitted : cause, names)}</p>
    ${argumentsOf(words, request)}
    <form
      id="request"
      method="POST"
      action="/svc/account/requests/${encodeURIComponent(request.id)}"
    >
      <h2>${words.answers}</h2>
      ${
        passkey
          ? html`<p>${words.byPasskey}</p>
              <noscript><p class="notice warning">${signIn.noScript}</p></noscript>
              <p id="unsupported" class="notice warning" hidden>
                ${passkeysUnavailable.unsupportedHeading}
              </p>`
          : ''
      }
      ${answer('no', consent.deny, fill(isPermission ? words.noPermission : words.noMeans, names), false)}
      ${answer('once', words.once, fill(words.onceMeans, names), passkey)}
      ${canAllowAlways ? answer('always', words.always, fill(words.alwaysMeans, names), passkey) : ''}
      ${liveRegion('status')}
      <p class="quiet">
        ${fill(words.unanswered, { minutes: minutesWords(language, minutes), until: time(language, expiresAt) })}
      </p>
    </form>`;
}

/** A button, with what happens when it is pressed; one that takes a passkey is for the script to enable. */
const answer = (decision: 'no' | 'once' | 'always', label: string, means: Html, script: boolean) =>
  html`<div class="answer">
    <button
      ${script ? html`type="button" disabled` : html`type="submit"`}
      name="decision"
      value="${decision}"
      aria-describedby="means-${decision}"
      ${decision === 'once' ? html`class="main"` : ''}
    >
      ${label}
    </button>
    <p id="means-${decision}" class="quiet">${means}</p>
  </div>`;

const textOf = (value: unknown) =>
  typeof value === 'string' ? value : JSON.stringify(value, null, 2);

const textOrEmpty = (text: string, { empty }: Words) =>
  text === '' ? html`<em>${empty}</em>` : html`<span class="value">${shownText(text)}</span>`;

/** As text, never as markup. */
function argumentsOf(words: Words, { arguments: all, truncated }: RequestView) {
  const isWhole = typeof all !== 'string';
  const entries = isWhole ? Object.entries(all ?? {}) : [];
  if (isWhole && entries.length === 0) return html`<p>${words.noArguments}</p>`;
  const texts = isWhole ? entries.flatMap(([name, value]) => [name, textOf(value)]) : [all];
  const example = html`<mark>U+202E</mark>`;
  return html`<h2 id="arguments">${words.arguments}</h2>
    ${truncated ? html`<p class="notice warning">${words.truncated}</p>` : ''}
    ${
      isWhole
        ? argumentTable(words, entries)
        : html`<p class="beginning" dir="ltr">${textOrEmpty(all, words)}</p>`
    }
    ${texts.some(hasUnseen) ? html`<p class="quiet">${fill(words.unseen, { example })}</p>` : ''}`;
}

function argumentTable(words: Words, entries: readonly (readonly [string, unknown])[]) {
  const rows = entries.map(
    ([name, value]) =>
      html`<tr>
        <th scope="row">${bdi(textOrEmpty(name, words))}</th>
        <td dir="${typeof value === 'string' ? 'auto' : 'ltr'}">
          ${textOrEmpty(textOf(value), words)}
        </td>
      </tr>`,
  );
  return table([words.argument, words.value], rows, html` aria-labelledby="arguments"`);
}

const outcome = (words: Words, state: Exclude<RequestState, 'open'>, names: Names) =>
  html`<section class="notice" aria-labelledby="outcome">
      <h2 id="outcome">${words.outcomes[state]}</h2>
      <p>${fill(words.outcomeMeans[state], names)}</p>
    </section>
    ${toAccount(words)}`;

const toAccount = ({ account }: Words) =>
  html`<p class="other-way"><a href="/svc/account">${account}</a></p>`;

const requestStyle = `
#why { margin-top: 1rem; }
h2 { margin: 1.25rem 0 0.5rem; }
.notice h2 { margin-top: 0; }
table { width: 100%; border-collapse: collapse; }
th, td { padding: 0.375rem 0.5rem; border: 1px solid var(--line); font-size: 0.9375rem; text-align: start; vertical-align: top; }
thead th { color: var(--quiet); font-weight: 400; }
tbody th { width: 30%; min-width: 6rem; font-weight: 600; }
p.beginning { padding: 0.5rem; border: 1px solid var(--line); font-size: 0.9375rem; }
.value { white-space: pre-wrap; }
.answer { padding: 0.75rem 0; border-top: 1px solid var(--line); }
.answer button { width: 100%; }
.answer p { margin: 0.375rem 0 0; }
@media (min-width: 34rem) {
  .answer { display: grid; grid-template-columns: 13rem 1fr; gap: 1rem; align-items: center; }
  .answer p { margin: 0; }
}
`;
