import { account } from '#page-scripts';
import { bdi, breakable, fill, type Fragment, type Html, html } from '../html.js';
import { inlineScript, languageOf, type Page, page as completePage } from '../layout/page.js';
import { textFor } from '../locale/locale.js';
import { signInLinksOf, signInLinksStyle } from '../pages/sign-in-links.js';
import type { AccountTexts } from '../texts/account.en.js';
import { accountScriptTextsOf, type AccountSiteContext, textsOf } from './account-texts.js';
import { accountStyle } from './style.js';

const icon = (path: Html, kind = '') =>
  html`<svg
    class="icon ${kind}"
    viewBox="0 0 24 24"
    fill="none"
    stroke="currentColor"
    stroke-width="1.75"
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    ${path}
  </svg>`;

const keyIcon = icon(
  html`<circle cx="8" cy="15" r="4.5" /> <path d="m11.5 11.5 8-8M15.5 7.5l3 3" />`,
);

const appIcon = icon(html`<path d="M9 7V3.5M15 7V3.5M6 7h12v4.5a6 6 0 0 1-12 0zM12 17.5v3" />`);

/** One icon for each kind of device; the style shows the one that `data-kind` of their parent selects. */
const deviceIcons = [
  icon(
    html`<rect x="3" y="4.5" width="18" height="12" rx="1.5" /> <path d="M8.5 20h7M12 16.5V20" />`,
    'computer',
  ),
  icon(html`<rect x="4.5" y="3" width="15" height="18" rx="2" /> <path d="M11 18h2" />`, 'tablet'),
  icon(html`<rect x="7" y="2.5" width="10" height="19" rx="2" /> <path d="M11 18.5h2" />`, 'phone'),
];

interface SectionParts {
  /** Also the fragment of the section's address, as in `/svc/account#passkeys`. */
  readonly id: string;
  readonly words: { readonly heading: string; readonly about?: Fragment };
  readonly body: Html;
}

/** A card of the account page with the same content for every account. */
const plainSection = ({ id, words: { heading, about }, body }: SectionParts) =>
  html`<section id="${id}" class="card" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading" tabindex="-1">${heading}</h2>
    ${about === undefined ? '' : html`<p class="quiet">${about}</p>`} ${body}
  </section>`;

/** A card whose body its script fills in, with one line while it loads and a retry where that fails. */
const section = (page: AccountTexts['page'], { body, ...parts }: SectionParts) =>
  plainSection({
    ...parts,
    body: html`<div class="skeleton" data-part="loading"><span>${page.loading}</span></div>
      <div class="notice warning" data-part="fault" hidden>
        <p role="alert"></p>
        <button type="button">${page.tryAgain}</button>
      </div>
      <div data-part="body" hidden>${body}</div>`,
  });

/**
 * A confirmation dialog; page-script/account/dialog.ts operates it. Cancel comes first, so that it gets the focus.
 * `otherWay` comes after its buttons.
 */
const dialog = ({ page }: AccountTexts, id: string, otherWay: Fragment = '') =>
  html`<dialog id="${id}" aria-labelledby="${id}-title" aria-describedby="${id}-text">
    <form>
      <h2 id="${id}-title"></h2>
      <p id="${id}-text"></p>
      <div id="${id}-field" hidden>
        <label id="${id}-label" for="${id}-input"></label>
        <input
          id="${id}-input"
          dir="auto"
          autocomplete="off"
          spellcheck="false"
          aria-describedby="${id}-hint"
          aria-errormessage="${id}-fault"
        />
        <p id="${id}-hint" class="quiet"></p>
      </div>
      ${outcome(id)}
      <div class="decision">
        <button type="button" id="${id}-cancel">${page.cancel}</button>
        <button type="submit" id="${id}-act" class="main"></button>${otherWay}
      </div>
    </form>
  </dialog>`;

/** For errors and progress of a button, whose `place` is this in page-script/account/account.ts. */
const outcome = (place: string) =>
  html`<p id="${place}-fault" class="fault" role="alert"></p>
    <p id="${place}-waiting" class="waiting" role="status"></p>`;

/** The list of the section `<name>s`, whose rows page-script/account/rows.ts makes from this template. */
const list = (name: string, template: Html, data: Fragment = '') =>
  html`<ul
      id="${name}-list"
      class="rows"
      role="list"
      aria-labelledby="${name}s-heading"
      ${data}
    ></ul>
    <template id="${name}-row">${template}</template>`;

const row = (mark: Html, what: Html, acts: Html) =>
  html`<li class="row">
    ${mark}
    <div class="what">${what}</div>
    <div class="acts">${acts}</div>
  </li>`;

const sectionLinks = (texts: AccountTexts) =>
  html`<nav aria-label="${texts.overview.sections}">
    <ul>
      ${link('passkeys', texts.passkeys)} ${link('recovery-codes', texts.recoveryCodes)}
      ${link('sessions', texts.sessions)} ${link('apps', texts.apps)}
      ${link('activity', texts.activity)} ${link('budget', texts.budget)}
      ${link('export', texts.export)} ${link('deletion', texts.deletion)}
    </ul>
  </nav>`;

const link = (id: string, { heading }: { readonly heading: string }) =>
  html`<li><a href="#${id}">${heading}</a></li>`;

/** Who is signed in, with a one-line summary of the account; page-script/account/overview.ts fills it in. */
const profileSection = (
  { page, profile }: AccountTexts,
  { id, displayName }: AccountContext['user'],
) =>
  html`<div id="profile" class="card who" data-user="${id}">
    <span id="initial" class="initial" aria-hidden="true"></span>
    <h1 id="display-name">${bdi(displayName)}</h1>
    <p id="overview" class="quiet"></p>
    <div class="acts">
      <button type="button" id="rename" disabled>${profile.rename}</button>
      <button type="button" id="sign-out" disabled>${page.signOut}</button>
    </div>
  </div>`;

/** First after a recovery (`since`, epoch seconds): add a passkey; then what to do about the lost ones. */
const recoveredSection = ({ page, recovered }: AccountTexts, since: number) =>
  section(page, {
    id: 'recovered',
    words: { heading: recovered.heading },
    body: html`<div id="recovered-todo" data-since="${since}">
        <p id="recovered-about">${recovered.about}</p>
        ${outcome('recovered')}
        <div class="decision">
          <button type="button" id="recovered-add" class="main" aria-describedby="recovered-about">
            ${recovered.act}
          </button>
        </div>
      </div>
      <div id="recovered-done" data-heading="${recovered.doneHeading}" hidden>
        <p>${recovered.done}</p>
        <div class="decision">
          <a class="button" href="#passkeys">${recovered.passkeys}</a>
          <a class="button" href="#recovery-codes">${recovered.codes}</a>
        </div>
      </div>`,
  });

const passkeyRow = ({ current, rename, remove }: AccountTexts['passkeys']) =>
  row(
    keyIcon,
    html`<p class="name">
        <bdi data-slot="name"></bdi>
        <span class="badge" data-slot="current">${current}</span>
      </p>
      <p class="quiet" data-slot="kept"></p>
      <p class="quiet" data-slot="dates"></p>`,
    html`<button type="button" data-slot="rename">${rename}</button>
      <button type="button" data-slot="remove">${remove}</button>`,
  );

const passkeysSection = ({ page, passkeys }: AccountTexts) =>
  section(page, {
    id: 'passkeys',
    words: passkeys,
    body: html`${list('passkey', passkeyRow(passkeys))}
      <div id="passkey-loss" class="notice warning" hidden>
        <h3>${passkeys.loss}</h3>
        <p></p>
      </div>
      ${outcome('passkey')}
      <div class="decision">
        <button type="button" id="add-passkey" aria-describedby="add-hint">${passkeys.add}</button>
        <a id="get-codes" class="button" href="#recovery-codes" hidden>${passkeys.codes}</a>
      </div>
      <p id="add-hint" class="quiet">${passkeys.addHint}</p>`,
  });

/** The number of recovery codes left, and new codes, which are shown here once. */
const recoveryCodesSection = ({ page, recoveryCodes }: AccountTexts) =>
  section(page, {
    id: 'recovery-codes',
    words: recoveryCodes,
    body: html`<p id="codes-left" class="figure"></p>
      ${outcome('codes')}
      <div class="decision"><button type="button" id="create-codes"></button></div>
      <div id="new-codes" class="notice" hidden>
        <h3 id="new-codes-heading" tabindex="-1">${recoveryCodes.shownHeading}</h3>
        <p>${recoveryCodes.shown}</p>
        <p id="codes-owner" class="quiet"></p>
        <ol id="codes" class="codes" aria-labelledby="new-codes-heading"></ol>
        <p id="codes-address"></p>
        <div class="acts">
          <button type="button" id="copy-codes">${recoveryCodes.copy}</button>
          <button type="button" id="download-codes">${recoveryCodes.download}</button>
          <button type="button" id="print-codes">${recoveryCodes.print}</button>
          <button type="button" id="codes-kept">${recoveryCodes.done}</button>
        </div>
      </div>`,
  });

const sessionRow = ({ current, end }: AccountTexts['sessions']) =>
  row(
    html`<span class="device" data-slot="device">${deviceIcons}</span>`,
    html`<p class="name">
        <span data-slot="name"></span>
        <span class="badge" data-slot="current">${current}</span>
      </p>
      <p class="quiet" data-slot="dates"></p>`,
    html`<button type="button" data-slot="end">${end}</button>`,
  );

const sessionsSection = ({ page, sessions }: AccountTexts) =>
  section(page, {
    id: 'sessions',
    words: sessions,
    body: html`${list('session', sessionRow(sessions))}
      <div class="decision">
        <button type="button" id="end-others">${sessions.endOthers}</button>
      </div>`,
  });

interface GrantedScope {
  readonly name: string;
  readonly description: string;
  /** The description in other languages, by BCP 47 tag. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
  /** The name of the resource that has the scope; undefined for this service's own `/svc/mcp`. */
  readonly resource?: string | undefined;
}

export interface GrantedAccess {
  /** What each scope allows; the description continues after "It can". */
  readonly scopes: readonly GrantedScope[];
  /** How long after consent access ends in any case; without it, access that is used does not end. For `/svc/me/apps`. */
  readonly maxAgeMs?: number | undefined;
}

/** What waits for the person's answer; its script shows it where there is any, first of all. */
const requestsCard = ({ requests }: AccountTexts) =>
  html`<div
    id="requests"
    class="card"
    role="region"
    aria-labelledby="requests-heading"
    tabindex="-1"
    hidden
  >
    <h2 id="requests-heading">${requests.heading}</h2>
    ${list(
      'request',
      row(
        appIcon,
        html`<p class="name" data-slot="what"></p>
          <p class="quiet" data-slot="until"></p>`,
        html`<a class="button" data-slot="answer">${requests.answer}</a>`,
      ),
    )}
  </div>`;

const appRow = (apps: AccountTexts['apps'], hasResources: boolean) =>
  row(
    appIcon,
    html`<p class="name">
        <bdi data-slot="name"></bdi>
        <span class="badge" data-slot="paused">${apps.paused}</span>
      </p>
      <p class="quiet" data-slot="origin"></p>
      <p class="quiet" data-slot="dates"></p>
      <div data-slot="may">
        <p class="may">${hasResources ? forResource(apps) : ''}${apps.may}</p>
        <ul data-slot="scopes" class="scopes"></ul>
      </div>`,
    html`<a class="button" data-slot="manage">${apps.manage}</a>
      <button type="button" data-slot="disconnect">${apps.disconnect}</button>`,
  );

/** The line that names the resource of an app, for the script to fill in or to hide. */
const forResource = (apps: AccountTexts['apps']) => {
  const name = html`<bdi data-slot="resource"></bdi>`;
  return html`<span data-slot="for">${fill(apps.resource, { name })}<br /></span>`;
};

const appsSection = (texts: AccountTexts, context: AccountContext) => {
  const { page, apps } = texts;
  const { origin, access = { scopes: [] } } = context;
  const { scopes } = access;
  const { tag } = languageOf(context);
  const hasResources = scopes.some(({ resource }) => resource !== undefined);
  const address = html`<code dir="ltr">${breakable(origin)}/svc/mcp</code>`;
  const data = html`data-scopes="${JSON.stringify(scopes.map((scope) => listed(scope, tag)))}"`;
  return section(page, {
    id: 'apps',
    words: { heading: apps.heading, about: fill(apps.about, { address }) },
    body: html`<p id="no-apps" class="figure">${apps.none}</p>
      ${list('app', appRow(apps, hasResources), data)}`,
  });
};

const listed = ({ name, description, texts, resource }: GrantedScope, tag: string) => [
  name,
  textFor(tag, texts) ?? description,
  ...(resource === undefined ? [] : [resource]),
];

const eventRow = (activity: AccountTexts['activity']) =>
  html`<template id="event-row">
    <li class="event" tabindex="-1">
      <p class="name" data-slot="what"></p>
      <p class="quiet" data-slot="where"></p>
      <details data-slot="more">
        <summary data-slot="question">${activity.notYou}</summary>
        <p><span data-slot="advice"></span> <a data-slot="link"></a></p>
      </details>
    </li>
  </template>`;

const activitySection = ({ page, activity }: AccountTexts) =>
  section(page, {
    id: 'activity',
    words: activity,
    body: html`<p id="no-events" class="figure">${activity.none}</p>
      <ol id="event-list" class="rows events" aria-labelledby="activity-heading"></ol>
      ${eventRow(activity)}
      <div id="more-events" class="decision"><button type="button" id="all-events"></button></div>`,
  });

/** How many credits are left today; page-script/account/budget.ts fills it in. */
const budgetSection = ({ page, budget }: AccountTexts) =>
  section(page, {
    id: 'budget',
    words: budget,
    body: html`<p id="budget-left" class="figure"></p>
      <progress id="budget-gauge" class="gauge" aria-hidden="true"></progress>
      <p id="budget-renews" class="quiet"></p>`,
  });

const exportSection = ({ export: words }: AccountTexts) =>
  plainSection({
    id: 'export',
    words,
    body: html`${outcome('export')}
      <button type="button" id="export-data" disabled>${words.button}</button>`,
  });

const deletionSection = ({ deletion }: AccountTexts) =>
  plainSection({
    id: 'deletion',
    words: deletion,
    body: html`<button type="button" id="delete-account" class="danger" disabled>
        ${deletion.button}
      </button>
      <template id="deleted">
        <section class="card" aria-labelledby="deleted-heading">
          <h1 id="deleted-heading" tabindex="-1">${deletion.doneHeading}</h1>
          <p>${deletion.done}</p>
          <p><a href="/svc/account">${deletion.goOn}</a></p>
        </section>
      </template>`,
  });

export interface AccountContext extends AccountSiteContext {
  readonly user: { readonly id: string; readonly displayName: string };
  /** When the session began, in epoch seconds, if it began with a recovery. */
  readonly recoveredAt?: number | undefined;
  /** Without it scopes are shown by their names. */
  readonly access?: GrantedAccess;
}

const accountScript = inlineScript(account);

/** In the order in which people see them; start-account.ts has their scripts. */
function sections(context: AccountContext) {
  const { recoveredAt } = context;
  const texts = textsOf(context);
  return [
    recoveredAt === undefined ? '' : recoveredSection(texts, recoveredAt),
    passkeysSection(texts),
    recoveryCodesSection(texts),
    sessionsSection(texts),
    appsSection(texts, context),
    activitySection(texts),
    budgetSection(texts),
    exportSection(texts),
    deletionSection(texts),
  ];
}

/** For the signed-in user. Its script requests what the sections show, and keeps them up to date. */
export function accountPage(context: AccountContext): Page {
  const texts = textsOf(context);
  return completePage(context, {
    title: html`${texts.page.title}`,
    script: { code: accountScript, texts: accountScriptTextsOf(context) },
    style: accountStyle + (signInLinksStyle(context) ?? ''),
    main: html`${requestsCard(texts)} ${profileSection(texts, context.user)} ${sectionLinks(texts)}
      <noscript><p class="notice warning">${texts.page.noScript}</p></noscript>
      ${sections(context)}
      <p id="status" class="toast" role="status"></p>
      ${dialog(texts, 'question')} ${dialog(texts, 'sign-in-again', signInLinksOf(context))}
      ${dialog(texts, 'session-over')}`,
  });
}
