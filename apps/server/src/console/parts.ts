import {
  bars,
  bdi,
  builtInPageLanguages,
  type Fragment,
  type Html,
  html,
  number as numberIn,
  row,
  shownText,
  table as tableOf,
  time as timeIn,
} from '#libs/ui-templates';

const WORDS: Readonly<Record<string, string>> = {
  apps: 'Connections',
  at: 'Time',
  auth: 'Authentication',
  dead: 'Given up',
  displayName: 'Name',
  durationMs: 'Duration (ms)',
  grant: 'Connection',
  id: 'ID',
  jwks: 'Key set',
  last: 'Last time',
  mayAsk: 'May ask for more',
  redirectUris: 'Redirect URIs',
  scope: 'Scopes',
  used: 'Used today',
  user: 'Account',
};

export const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

/** `createdAt` as people read it: Created. */
export const words = (name: string) => {
  const text = name.replace(/(?<=.)At$/, '');
  const spaced = text.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return WORDS[text] ?? capitalized(spaced);
};

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

const { fallback: ENGLISH } = builtInPageLanguages;

export const number = (n: number) => numberIn(ENGLISH, n);

const time = (ms: number) => timeIn(ENGLISH, ms / 1000);

const PAGES: Readonly<Record<string, string>> = {
  user: 'accounts',
  client: 'apps',
  grant: 'connections',
};

export const hasValue = (given: unknown): given is NonNullable<unknown> =>
  given !== null &&
  given !== undefined &&
  given !== '' &&
  given !== false &&
  !(Array.isArray(given) && given.length === 0);

const lines = (parts: readonly Fragment[]) =>
  parts.map((part, n) => html`${n === 0 ? '' : html`<br />`}${part}`);

/** A value of an answer; moments are ISO 8601 or epoch milliseconds. Accounts, clients and connections lead to their pages. */
export function value(given: unknown, name = ''): Fragment {
  if (typeof given === 'boolean') return given ? 'Yes' : 'No';
  if (!hasValue(given)) return html`<span class="quiet">–</span>`;
  const isMoment = /(?:^a|A)t$/.test(name);
  if (typeof given === 'number') return isMoment ? time(given) : number(given);
  if (Array.isArray(given)) return lines(given.map((one) => value(one)));
  if (typeof given === 'object') {
    const members = Object.entries(given);
    return lines(members.map(([member, one]) => html`${bdi(shownText(member))}: ${value(one)}`));
  }
  const text = String(given);
  // Any other member may be a name, which people choose.
  if (isMoment && TIME.test(text)) return time(Date.parse(text));
  const page = PAGES[name];
  const shown = bdi(shownText(text));
  return page ? html`<a href="/console/${page}/${encodeURIComponent(text)}">${shown}</a>` : shown;
}

/** Names and values, as far as there are. */
export const facts = (record: object): Html =>
  html`<dl>
    ${Object.entries(record)
      .filter(([, one]) => one === false || hasValue(one))
      .map(([name, one]) => row(words(name), value(one, name)))}
  </dl>`;

/** Scrolls by itself where it is wider than the page, also by keyboard. */
export const table = (
  label: string,
  columns: readonly Fragment[],
  rows: readonly Fragment[][],
): Html =>
  rows.length === 0
    ? html`<p class="quiet">There are none.</p>`
    : html`<div class="table" role="region" aria-label="${label}, table" tabindex="0">
        ${tableOf(
          columns,
          rows.map(
            (cells) =>
              html`<tr>
                ${cells.map((cell) => html`<td>${cell}</td>`)}
              </tr>`,
          ),
        )}
      </div>`;

/** A section with a heading; `id` is also the fragment of its address. */
export const section = (id: string, heading: string, body: Fragment): Html =>
  html`<section id="${id}" class="card" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${heading}</h2>
    ${body}
  </section>`;

/** Bars of 24 hours, with the same as a table. */
export function chart(title: string, hours: readonly (readonly [hour: string, n: number])[]) {
  const all = hours.reduce((sum, [, n]) => sum + n, 0);
  return html`<section class="figure" aria-label="${title}">
    <h3>${title}: ${number(all)}</h3>
    ${bars(hours.map(([, n]) => n))}
    <details>
      <summary>By hour</summary>
      ${table(
        `${title} by hour`,
        ['Hour', 'Number'],
        hours.filter(([, n]) => n > 0).map(([hour, n]) => [time(Date.parse(hour)), number(n)]),
      )}
    </details>
  </section>`;
}
