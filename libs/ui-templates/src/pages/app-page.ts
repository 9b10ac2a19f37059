import { app as bundle } from '#page-scripts';
import { bdi, breakable, fill, type Fragment, type Html, html } from '../html.js';
import {
  inlineScript,
  languageOf,
  liveRegion,
  type Page,
  page,
  type SiteContext,
  table,
} from '../layout/page.js';
import { shownText } from '../shown-text.js';
import type { PageLanguage } from '../texts/languages.js';
import { hostName, publisherRow, row } from './about-app.js';
import { bars, counted, dayOf, dayWords, number, time } from './figures.js';

const appScript = inlineScript(bundle);

type Permission = 'allow' | 'ask' | 'off';

interface PermissionView {
  readonly scope: string;
  /** What it allows, in the language of the page; it continues "It can". */
  readonly description: string;
  readonly permission: Permission;
  /** False for a scope that the manager of a managed connection, or the service's access policy, does not give. */
  readonly isOffered: boolean;
}

/** A row of the trail, as the route of calls shows it. */
interface CallView {
  /** Of the last of `count` calls. */
  readonly lastAt: number;
  readonly count: number;
  /** Null, like title and outcome, for what the trail has beyond its rows of an hour. */
  readonly name: string | null;
  readonly title: string | null;
  readonly page: { readonly host: string } | null;
  readonly outcome: string | null;
  readonly credits: number;
  readonly approved: 'once' | 'passkey' | null;
}

interface CallsView {
  readonly calls: readonly CallView[];
  /** `before` of the next page. */
  readonly next: string | null;
  /** `before` of this page; undefined for the first. */
  readonly before?: string | undefined;
  /** The name whose calls these are; undefined for all. */
  readonly tool?: string | undefined;
  /** Calls of each of the last 30 days, the oldest first; `day` is `YYYY-MM-DD`, in UTC. */
  readonly days: readonly { readonly day: string; readonly calls: number }[];
}

/** A connection as its route shows it, with what the page says beside; moments are in epoch seconds. */
export interface ConnectionView {
  readonly id: string;
  readonly app: string;
  /** Null where the answer of the consent form opened an app. */
  readonly redirectHost: string | null;
  /** Host of the document that describes the app; null where it registered itself. */
  readonly published: string | null;
  readonly resource: string;
  readonly resourceName: string;
  readonly managedBy: string | null;
  readonly permissions: readonly PermissionView[];
  /** Whether the person can be asked about calls: not for resources other than `/svc/mcp`. */
  readonly canAsk: boolean;
  readonly mayAsk: boolean;
  readonly pausedBy: 'person' | 'administrator' | null;
  readonly dailyCredits: number | null;
  readonly usedToday: number;
  readonly endsAt: number | null;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  /** Whether use does not move `expiresAt`: it is that of `endsAt`, or of the service's limit. */
  readonly isEndFixed: boolean;
}

export type AppPageMessage = keyof PageLanguage['texts']['appPage']['messages'];

export interface AppPageContext extends SiteContext {
  readonly connection: ConnectionView;
  readonly calls: CallsView;
  /** What became of the change that led here. */
  readonly message?: AppPageMessage | undefined;
}

type Words = PageLanguage['texts']['appPage'];

/** Of one rendering: the language, its texts, the address that forms post to, and the app's name. */
interface Part extends AppPageContext {
  readonly language: PageLanguage;
  readonly words: Words;
  readonly address: string;
  readonly app: Html;
}

/**
 * What an app may do and what it did. Each form posts to the page's own address, with a field `act`:
 *
 * - `permissions`: `permission:<scope>` is `allow`, `ask` or `off` for each offered scope, `mayAsk` is `on` or missing
 * - `limits`: `dailyCredits` (digits, or empty for none) and `endsOn` (`YYYY-MM-DD`, or empty for no end)
 * - `pause`, `resume` and `disconnect`
 *
 * The form of the calls is a GET with `tool`, and pages of them have `before`.
 */
export function appPage(context: AppPageContext): Page {
  const language = languageOf(context);
  const { appPage: words, script } = language.texts;
  const { app: name, id } = context.connection;
  const address = `/svc/account/apps/${encodeURIComponent(id)}`;
  const part: Part = { ...context, language, words, address, app: bdi(name) };
  const pause = pauseSection(part);
  const isPaused = context.connection.pausedBy !== null;
  return page(context, {
    title: html`${name}`,
    script: { code: appScript, texts: script },
    style: appStyle,
    main: html`<p class="other-way"><a href="/svc/account#apps">${words.back}</a></p>
      <h1>${bdi(name)}</h1>
      ${messageOf(part)} ${aboutConnection(part)} ${isPaused ? pause : ''}
      ${permissionsSection(part)} ${isPaused ? '' : pause} ${limitsSection(part)}
      ${callsSection(part)} ${disconnectSection(part)}`,
  });
}

/** For an id of another account, or of a connection that has ended. */
export function appGonePage(context: SiteContext): Page {
  const { appPage: words } = languageOf(context).texts;
  return page(context, {
    status: 404,
    title: html`${words.goneTitle}`,
    main: html`<h1>${words.goneTitle}</h1>
      <p>${words.gone}</p>
      <p class="other-way"><a href="/svc/account#apps">${words.back}</a></p>`,
  });
}

/** Has the focus when the page is loaded, so that it is read out first. */
function messageOf({ words, message }: Part) {
  if (message === undefined) return '';
  return html`<p class="status" id="message" tabindex="-1" autofocus>${words.messages[message]}</p>
    ${
      message === 'signInAgain'
        ? html`<button type="button" id="sign-in" hidden>${words.confirm}</button>
            ${liveRegion('status')}`
        : ''
    }`;
}

function aboutConnection({ language, words, connection }: Part) {
  const { app } = language.texts;
  const { published, redirectHost, resource, resourceName, managedBy } = connection;
  const { createdAt, lastUsedAt, expiresAt, isEndFixed } = connection;
  const end = time(language, expiresAt);
  const returnsTo = redirectHost === null ? words.opensApp : hostName(redirectHost);
  return html`<dl aria-label="${app.about}">
    ${publisherRow(language, connection)} ${published === null ? row(app.returnsTo, returnsTo) : ''}
    ${row(words.resource, html`${bdi(resourceName)}<br /><code dir="ltr">${breakable(resource)}</code>`)}
    ${managedBy === null ? '' : row(words.managedBy, bdi(managedBy))}
    ${row(words.connected, time(language, createdAt))}
    ${row(words.lastUsed, time(language, lastUsedAt))}
    ${row(words.ends, isEndFixed ? end : fill(words.endsUnused, { end }))}
  </dl>`;
}

/** A section with a heading; `id` is also the fragment of its address. */
const section = (id: string, heading: string, body: Fragment) =>
  html`<section id="${id}" class="second" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${heading}</h2>
    ${body}
  </section>`;

const form = ({ address }: Part, act: string, fields: Fragment, button: Html) =>
  html`<form method="POST" action="${address}">
    <input type="hidden" name="act" value="${act}" />
    ${fields} ${button}
  </form>`;

function pauseSection(part: Part) {
  const { words, app } = part;
  const { pausedBy } = part.connection;
  const isPaused = pausedBy !== null;
  const isOwn = pausedBy !== 'administrator';
  const text = fill(isOwn ? words.pauseMeans : words.pausedByAdministrator, { app });
  const button = html`<button type="submit">${isPaused ? words.resume : words.pause}</button>`;
  return section(
    'pause',
    isPaused ? words.paused : words.pause,
    html`<p ${isPaused ? html`class="notice warning"` : ''}>${text}</p>
      ${isOwn ? form(part, isPaused ? 'resume' : 'pause', '', button) : ''}`,
  );
}

function permissionsSection(part: Part) {
  const { words, connection, app } = part;
  const { permissions, canAsk, mayAsk } = connection;
  const choices: readonly Permission[] = canAsk ? ['allow', 'ask', 'off'] : ['allow', 'off'];
  const more = html`<label class="scope">
    <input type="checkbox" name="mayAsk" value="on" ${mayAsk ? html`checked` : ''} />
    <span>
      ${words.mayAsk}
      <span class="quiet">${words.mayAskMeans}</span>
    </span>
  </label>`;
  const save = html`<button type="submit" class="main">${words.savePermissions}</button>`;
  const fields = html`${permissions.map((one) => permissionRow(part, one, choices))}
  ${canAsk ? more : ''}`;
  const about = html`<p>${fill(words.permissionsAbout, { app })}</p>
    ${canAsk ? html`<p class="quiet">${words.askMeans}</p>` : ''}`;
  return section('permissions', words.permissions, [
    about,
    form(part, 'permissions', fields, save),
  ]);
}

function permissionRow(
  { words, connection, serviceName }: Part,
  { scope, description, permission, isOffered }: PermissionView,
  choices: readonly Permission[],
) {
  const name = html`<span class="description">${description}</span>`;
  if (!isOffered) {
    const by = bdi(connection.managedBy ?? serviceName);
    return html`<div class="permission">
      ${name}
      <p class="quiet">${fill(words.notOfferedBy, { name: by })}</p>
    </div>`;
  }
  return html`<fieldset class="permission">
    <legend>${name}</legend>
    <div class="choices">
      ${choices.map(
        (choice) =>
          html`<label>
            <input
              type="radio"
              name="permission:${scope}"
              value="${choice}"
              ${choice === permission ? html`checked` : ''}
            />
            ${words[choice]}
          </label>`,
      )}
    </div>
  </fieldset>`;
}

function limitsSection(part: Part) {
  const { language, words, connection } = part;
  const { dailyCredits, usedToday, endsAt } = connection;
  const used = counted(language, words.used, usedToday);
  const fields = html`<label for="daily-credits">${words.dailyCredits}</label>
    <input
      id="daily-credits"
      name="dailyCredits"
      inputmode="numeric"
      pattern="[0-9]{1,7}"
      autocomplete="off"
      value="${dailyCredits === null ? '' : dailyCredits}"
      aria-describedby="daily-credits-hint"
    />
    <p id="daily-credits-hint" class="quiet">${used} ${words.dailyCreditsMeans}</p>
    <label for="ends-on">${words.endsOn}</label>
    <input
      type="date"
      id="ends-on"
      name="endsOn"
      value="${endsAt === null ? '' : dayOf(endsAt)}"
      aria-describedby="ends-on-hint"
    />
    <p id="ends-on-hint" class="quiet">${words.endsOnMeans}</p>`;
  const save = html`<button type="submit">${words.saveLimits}</button>`;
  return section('limits', words.limits, form(part, 'limits', fields, save));
}

function callsSection(part: Part) {
  const { words, calls, language } = part;
  const { calls: rows } = calls;
  return section(
    'calls',
    words.calls,
    html`<p class="quiet">${words.callsAbout}</p>
      ${calls.days.some(({ calls: n }) => n > 0) ? chart(language, calls.days) : ''} ${filter(part)}
      ${
        rows.length === 0
          ? html`<p>${words.noCalls}</p>`
          : html`<ol class="calls" aria-labelledby="calls-heading">
              ${rows.map((call) => callRow(language, call))}
            </ol>`
      }
      ${turning(part)}`,
  );
}

/** Bars of 30 days, with the same as a table for screen readers. */
function chart(language: PageLanguage, days: CallsView['days']) {
  const { appPage: words } = language.texts;
  const all = days.reduce((sum, { calls }) => sum + calls, 0);
  const rows = days
    .filter(({ calls }) => calls > 0)
    .map(
      ({ day, calls }) =>
        html`<tr>
          <th scope="row">${dayWords(language, day)}</th>
          <td>${number(language, calls)}</td>
        </tr>`,
    );
  return html`<figure>
    <figcaption>${counted(language, words.chart, all)}</figcaption>
    ${bars(days.map(({ calls }) => calls))}
    <div class="axis quiet" aria-hidden="true">
      <span>${dayWords(language, days.at(0)?.day ?? '')}</span>
      <span>${dayWords(language, days.at(-1)?.day ?? '')}</span>
    </div>
    <div class="unseen">${table([words.day, words.dayCalls], rows)}</div>
  </figure>`;
}

/** Offers the names that are shown, and the chosen one. */
function filter({ language, words, address, calls: { calls, tool = '' } }: Part) {
  const names = new Set([tool, ...calls.map(({ name }) => name ?? '')].filter(Boolean));
  if (names.size < 2 && tool === '') return '';
  return html`<form class="filter" method="GET" action="${address}#calls">
    <label for="tool">${language.texts.request.action}</label>
    <select id="tool" name="tool">
      <option value="">${words.allTools}</option>
      ${[...names].map(
        (one) =>
          html`<option value="${one}" ${one === tool ? html`selected` : ''}>
            ${shownText(one)}
          </option>`,
      )}
    </select>
    <button type="submit">${words.show}</button>
  </form>`;
}

function callRow(language: PageLanguage, call: CallView) {
  const { appPage: words } = language.texts;
  const { name, title, page: of, count, lastAt, outcome, credits, approved } = call;
  const outcomes = new Map<string, string>(Object.entries(words.outcomes));
  const facts: readonly Fragment[] = [
    ...(outcome === null ? [] : [outcomes.get(outcome) ?? bdi(outcome)]),
    ...(count > 1 ? [`${number(language, count)}×`] : []),
    time(language, lastAt),
    ...(credits > 0 ? [counted(language, words.credits, credits)] : []),
    ...(approved === null ? [] : [words.approved[approved]]),
  ];
  const where = of === null ? '' : html` <span class="quiet">${bdi(shownText(of.host))}</span>`;
  return html`<li>
    <p><strong>${name === null ? words.others : bdi(shownText(title ?? name))}</strong>${where}</p>
    <p class="quiet">${facts.map((fact, n) => (n === 0 ? fact : html` · ${fact}`))}</p>
  </li>`;
}

/** Links to the first page of the calls and to the next one. */
function turning({ words, address, calls: { next, before, tool } }: Part) {
  const to = (query: Readonly<Record<string, string>>) =>
    `${address}?${new URLSearchParams({ ...(tool === undefined ? {} : { tool }), ...query })}#calls`;
  if (next === null && before === undefined) return '';
  return html`<p class="turning">
    ${before === undefined ? '' : html`<a href="${to({})}">${words.newest}</a>`}
    ${next === null ? '' : html`<a href="${to({ before: next })}" rel="next">${words.older}</a>`}
  </p>`;
}

/** Asks once more by what it opens, without a script too. */
function disconnectSection(part: Part) {
  const { words, connection, app } = part;
  const { managedBy } = connection;
  const means =
    managedBy === null
      ? words.disconnectMeans
      : fill(words.disconnectMeansManaged, { name: bdi(managedBy) });
  const button = html`<button type="submit" class="danger">${words.disconnectNow}</button>`;
  return section(
    'disconnect',
    words.disconnect,
    html`<details class="notice">
      <summary><span class="question">${fill(words.disconnectQuestion, { app })}</span></summary>
      <p>${means}</p>
      ${form(part, 'disconnect', '', button)}
    </details>`,
  );
}

const appStyle = `
dl + .second { padding-top: 0; border-top: 0; }
.permission { margin: 0; padding: 0.75rem 0 0.25rem; border-bottom: 1px solid var(--line); }
fieldset.permission { padding-top: 0; }
.permission legend { padding-top: 0.75rem; font-size: 1rem; font-weight: 400; }
.description { display: inline-block; }
.permission p { margin: 0; }
.choices { display: flex; flex-wrap: wrap; gap: 0 1.5rem; }
.choices label { display: flex; align-items: center; gap: 0.5rem; min-height: 2.75rem; font-weight: 400; cursor: pointer; }
.choices input { flex: none; width: 1.25rem; height: 1.25rem; margin: 0; accent-color: var(--accent); }
.scope .quiet { display: block; }
form > button { margin-top: 0.75rem; }
section h2 { margin-bottom: 0.375rem; }
.status + button { margin: 0.75rem 0; }
input[type='date'], select { display: block; min-height: 2.75rem; max-width: 100%; margin: 0.25rem 0; padding: 0.5rem 0.75rem; font: inherit; color: var(--text); background: var(--card); border: 1px solid var(--quiet); border-radius: 0.5rem; }
#daily-credits { max-width: 12rem; }
figure { margin: 1rem 0; }
.chart { display: block; width: 100%; height: 4rem; margin-top: 0.5rem; border-bottom: 1px solid var(--quiet); fill: var(--accent); }
[dir='rtl'] .chart { transform: scaleX(-1); }
.axis { display: flex; justify-content: space-between; gap: 1rem; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
.filter { display: flex; flex-wrap: wrap; align-items: center; gap: 0 0.75rem; }
.filter button { margin: 0.25rem 0; }
.calls { margin: 0.75rem 0 0; padding: 0; list-style: none; border-top: 1px solid var(--line); }
.calls li { padding: 0.625rem 0; border-bottom: 1px solid var(--line); }
.calls p { margin: 0; }
.turning { display: flex; gap: 1.5rem; }
.turning a { padding: 0.625rem 0; }
button.danger { margin: 0 1rem 1rem; color: var(--error); border-color: var(--error); background: var(--card); }
.question { color: var(--accent); text-decoration: underline; }
`;
