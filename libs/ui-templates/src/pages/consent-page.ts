import { bdi, fill, html } from '../html/html.js';
import { consentScript } from '../layout/inline-script.js';
import { liveRegion, type Page, type PageContext, page } from '../layout/page.js';
import { texts } from '../texts.js';
import { aboutApp } from './about-app.js';
import { redirectTarget } from './redirect-target.js';

export interface ScopeView {
  readonly name: string;
  readonly description: string;
  readonly requested: boolean;
  readonly checked: boolean;
}

export interface ConsentContext extends PageContext {
  /** Display name of the signed-in user. */
  readonly userName: string;
  readonly handle: string;
  readonly scopes: readonly ScopeView[];
  /** Days from now until access ends whatever its use; undefined where nothing ends it while in use. */
  readonly accessDays?: number | undefined;
  /** Where people disconnect apps; undefined where there is no such page. */
  readonly accountPage?: string | undefined;
}

/** Days without use after which access ends, as the texts say. */
const IDLE_DAYS = 30;

const { consent } = texts;

/** For a signed-in user: allow or deny the app, scope by scope. Its form works without script. */
export function consentPage(context: ConsentContext): Page {
  const app = bdi(context.app.name);
  const { opensApp } = redirectTarget(context.redirect.uri);
  return page(context, {
    title: fill(consent.title, { app: context.app.name }),
    script: consentScript,
    main: html`<h1>${fill(consent.heading, { app })}</h1>
      ${account(context)} ${liveRegion('account-status')} ${aboutApp(context)}
      <form
        id="consent"
        method="POST"
        action="/svc/oauth/authorize"
        ${opensApp ? html` data-opens-app` : ''}
      >
        <input type="hidden" name="handle" value="${context.handle}" />
        ${scopeChoice(context.scopes)} ${liveRegion('status')} ${decision}
        <p class="quiet">${duration(context.accessDays)} ${disconnection(context.accountPage)}</p>
      </form>`,
  });
}

function duration(days: number | undefined) {
  if (days === undefined) return consent.duration;
  const text = days > IDLE_DAYS ? consent.durationWithEnd : consent.durationOfEnd;
  return fill(text, {
    days: days === 1 ? consent.oneDay : fill(consent.manyDays, { days: `${days}` }),
  });
}

function disconnection(accountPage: string | undefined) {
  if (accountPage === undefined) return '';
  const link = html`<a href="${accountPage}">${consent.accountPage}</a>`;
  return fill(consent.disconnect, { link });
}

const account = ({ userName, signUp }: ConsentContext) =>
  html`<div class="account">
    <p>${fill(consent.signedInAs, { user: html`<strong>${bdi(userName)}</strong>` })}</p>
    <button type="button" id="switch-account" class="link" hidden>${consent.switchAccount}</button>
    ${signUp === 'closed' ? '' : newAccount}
  </div>`;

function scopeChoice(scopes: readonly ScopeView[]) {
  const asks = scopes.some(({ requested }) => requested);
  return html`<fieldset>
    <legend>${consent.scopes}</legend>
    <p>${asks ? consent.someRequested : consent.noneRequested}</p>
    ${scopes.map((scope) => scopeRow(scope, asks))}
  </fieldset>`;
}

const scopeRow = ({ name, description, requested, checked }: ScopeView, asks: boolean) =>
  html`<label class="scope">
    <input type="checkbox" name="scope" value="${name}" ${checked ? html` checked` : ''} />
    <span class="description">${description}</span>
    <span class="details"
      ><code>${name}</code>${asks && !requested ? html` · ${consent.notRequested}` : ''}</span
    >
  </label>`;

const newAccount = html`<button type="button" id="new-account" class="link" hidden>
  ${consent.newAccount}
</button>`;

/** Deny comes first, because the Enter key presses the first button of a form. */
const decision = html`<div class="decision">
  <button type="submit" name="decision" value="deny">${consent.deny}</button>
  <button type="submit" name="decision" value="approve" class="main">${consent.approve}</button>
</div>`;
