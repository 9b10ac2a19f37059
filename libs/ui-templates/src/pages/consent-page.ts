import { consent as bundle } from '#page-scripts';
import { bdi, breakable, fill, html } from '../html.js';
import {
  inlineScript,
  languageOf,
  liveRegion,
  type Page,
  page,
  type PageContext,
} from '../layout/page.js';
import type { PageLanguage } from '../texts/languages.js';
import { aboutApp, redirectTarget } from './about-app.js';
import { counted } from './figures.js';

const consentScript = inlineScript(bundle);

interface ScopeView {
  readonly name: string;
  readonly description: string;
  readonly requested: boolean;
  readonly checked: boolean;
  /** Whether it lets the app change something; people may then choose to be asked each time, in the field `ask`. */
  readonly writes?: boolean | undefined;
}

export interface ConsentContext extends PageContext {
  readonly userName: string;
  readonly handle: string;
  readonly scopes: readonly ScopeView[];
  /** What the app gets access to, where that is not this service's own `/svc/mcp`: its name and identifier. */
  readonly resource?: { readonly name: string; readonly resource: string } | undefined;
  /** Days from now until access ends in any case; undefined where access does not end while it is used. */
  readonly accessDays?: number | undefined;
  /** Where people disconnect apps; undefined without such a page. */
  readonly accountPage?: string | undefined;
}

/** Days without use after which access ends; the texts say the same number. */
const IDLE_DAYS = 30;

type Words = PageLanguage['texts']['consent'];

/** For a signed-in user: allow or deny the app, scope by scope. The form works without a script. */
export function consentPage(context: ConsentContext): Page {
  const language = languageOf(context);
  const { consent, script } = language.texts;
  const app = bdi(context.app.name);
  const { opensApp } = redirectTarget(context.redirect.uri);
  return page(context, {
    title: fill(consent.title, { app: context.app.name }),
    script: { code: consentScript, texts: script },
    main: html`<h1>${fill(consent.heading, { app })}</h1>
      ${account(consent, context)} ${liveRegion('account-status')} ${aboutApp(context)}
      <form
        id="consent"
        method="POST"
        action="/svc/oauth/authorize"
        ${opensApp ? html` data-opens-app` : ''}
      >
        <input type="hidden" name="handle" value="${context.handle}" />
        ${scopeChoice(consent, context)} ${liveRegion('status')} ${decision(consent)}
        <p class="quiet">
          ${duration(language, context.accessDays)} ${disconnection(consent, context.accountPage)}
        </p>
      </form>`,
  });
}

function duration(language: PageLanguage, days: number | undefined) {
  const { consent } = language.texts;
  if (days === undefined) return consent.duration;
  const text = days > IDLE_DAYS ? consent.durationWithEnd : consent.durationOfEnd;
  return fill(text, { days: counted(language, consent.days, days) });
}

function disconnection(consent: Words, accountPage: string | undefined) {
  if (accountPage === undefined) return '';
  const link = html`<a href="${accountPage}">${consent.accountPage}</a>`;
  return fill(consent.disconnect, { link });
}

const account = (consent: Words, { userName, signUp }: ConsentContext) =>
  html`<div class="account">
    <p>${fill(consent.signedInAs, { user: html`<strong>${bdi(userName)}</strong>` })}</p>
    <button type="button" id="switch-account" class="link" hidden>${consent.switchAccount}</button>
    ${signUp === 'closed' ? '' : newAccount(consent)}
  </div>`;

function scopeChoice(consent: Words, { scopes, resource }: ConsentContext) {
  const asks = scopes.some(({ requested }) => requested);
  const choice = html`<fieldset>
    <legend>${consent.scopes}</legend>
    <p>${asks ? consent.someRequested : consent.noneRequested}</p>
    ${scopes.length > 1 ? presets(consent) : ''}
    ${scopes.map((scope, n) => {
      const box = scopeRow(scope, n, asks && !scope.requested ? consent.notRequested : '');
      // There is no asking about calls of another resource.
      if (!scope.writes || resource !== undefined) return box;
      return html`<div class="choice">${box} ${askRow(consent, scope.name, n)}</div>`;
    })}
  </fieldset>`;
  if (resource === undefined) return choice;
  const name = html`<strong>${bdi(resource.name)}</strong>`;
  const address = html`<code dir="ltr">${breakable(resource.resource)}</code>`;
  return html`<p id="resource">${fill(consent.resource, { name, address })}</p>
    ${choice}`;
}

/** Tick boxes; shown by the script. */
const presets = ({ presets: words }: Words) =>
  html`<div id="presets" role="group" aria-label="${words.label}" hidden>
    <button type="button" data-preset="asked">${words.asked}</button>
    <button type="button" data-preset="read">${words.read}</button>
    <button type="button" data-preset="all">${words.all}</button>
  </div>`;

const scopeRow = (
  { name, description, checked, writes = false }: ScopeView,
  n: number,
  mark: string,
) => {
  const state = html`${checked ? html` checked` : ''}${writes ? html` data-writes` : ''}`;
  return html`<label class="scope">
    <input type="checkbox" name="scope" value="${name}" ${state} />
    <span id="scope-${n}" class="description">${description}</span>
    <span class="details"><code>${name}</code>${mark === '' ? '' : html` · ${mark}`}</span>
  </label>`;
};

const askRow = ({ ask }: Words, name: string, n: number) =>
  html`<label class="ask">
    <input type="checkbox" name="ask" value="${name}" aria-describedby="scope-${n}" />
    <span>${ask}</span>
  </label>`;

const newAccount = (consent: Words) =>
  html`<button type="button" id="new-account" class="link" hidden>${consent.newAccount}</button>`;

/** Deny comes first, because the Enter key presses the first button of a form. */
const decision = (consent: Words) =>
  html`<div class="decision">
    <button type="submit" name="decision" value="deny">${consent.deny}</button>
    <button type="submit" name="decision" value="approve" class="main">${consent.approve}</button>
  </div>`;
