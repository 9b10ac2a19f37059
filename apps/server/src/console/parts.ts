import { bdi, type Fragment, type Html, html, shownText } from '#libs/ui-templates';
import type { Field } from './fields.js';

const WORDS: Readonly<Record<string, string>> = { jwks: 'Key set', redirectUris: 'Redirect URIs' };

/** `createdAt` as people read it. */
export const words = (name: string) => {
  if (WORDS[name] !== undefined) return WORDS[name];
  const text = name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`);
  return text.charAt(0).toUpperCase() + text.slice(1);
};

const TIME = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,3})?Z$/;

const MOMENT = new Intl.DateTimeFormat('en', {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

const NUMBER = new Intl.NumberFormat('en');

export const number = (n: number) => NUMBER.format(n);

export const time = (iso: string) =>
  html`<time datetime="${iso}">${MOMENT.format(new Date(iso))} UTC</time>`;

const PAGES: Readonly<Record<string, string>> = {
  user: 'accounts',
  client: 'apps',
  grant: 'connections',
};

/** A value of an answer. Accounts, clients and connections lead to their pages. */
export function value(given: unknown, name = ''): Fragment {
  if (given === null || given === undefined || given === '')
    return html`<span class="quiet">–</span>`;
  if (typeof given === 'boolean') return given ? 'yes' : 'no';
  if (typeof given === 'number') return number(given);
  if (Array.isArray(given)) {
    if (given.length === 0) return value(null);
    return given.map((one, n) => html`${n === 0 ? '' : html`<br />`}${value(one)}`);
  }
  if (typeof given === 'object') {
    const members = Object.entries(given);
    return members.map(
      ([member, one], n) =>
        html`${n === 0 ? '' : html`<br />`}${bdi(shownText(member))}: ${value(one)}`,
    );
  }
  const text = String(given);
  // Any other member may be a name, which people choose.
  if (/(?:^a|A)t$/.test(name) && TIME.test(text)) return time(text);
  const page = PAGES[name];
  const shown = bdi(shownText(text));
  return page ? html`<a href="/console/${page}/${encodeURIComponent(text)}">${shown}</a>` : shown;
}

/** Names and values. */
export const facts = (record: object): Html =>
  html`<dl>
    ${Object.entries(record).map(
      ([name, one]) =>
        html`<div>
          <dt>${words(name)}</dt>
          <dd>${value(one, name)}</dd>
        </div>`,
    )}
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
        <table>
          <thead>
            <tr>
              ${columns.map((column) => html`<th scope="col">${column}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${rows.map(
              (cells) =>
                html`<tr>
                  ${cells.map((cell) => html`<td>${cell}</td>`)}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`;

/** A section with a heading; `id` is also the fragment of its address. */
export const section = (id: string, heading: string, body: Fragment): Html =>
  html`<section id="${id}" class="card" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading">${heading}</h2>
    ${body}
  </section>`;

/** A control with its label and hint; it keeps what was entered. */
export function control({ member, hint, kind, choices }: Field, entered: string): Html {
  const about = hint === '' ? '' : html`<p id="${member}-hint" class="quiet">${hint}</p>`;
  const described = hint === '' ? '' : html`aria-describedby="${member}-hint"`;
  const named = html`id="${member}" name="${member}" ${described}`;
  const label = html`<label for="${member}">${words(member)}</label>`;
  if (kind === 'lines') {
    return html`${label}<textarea ${named} rows="4" spellcheck="false">${entered}</textarea
      >${about}`;
  }
  if (kind === 'text') {
    return html`${label}<input
        ${named}
        value="${entered}"
        autocomplete="off"
        spellcheck="false"
      />${about}`;
  }
  const option = (sent: string, shown: string) =>
    html`<option value="${sent}" ${sent === entered ? html`selected` : ''}>${shown}</option>`;
  return html`${label}<select ${named}>
      ${option('', '–')} ${choices.map(([sent, shown]) => option(sent, shown))}</select
    >${about}`;
}

/** Bars of 24 hours, with the same as a table. */
export function chart(
  id: string,
  title: string,
  hours: readonly (readonly [hour: string, n: number])[],
) {
  const most = Math.max(1, ...hours.map(([, n]) => n));
  const all = hours.reduce((sum, [, n]) => sum + n, 0);
  const heightOf = (n: number) => (n === 0 ? 0 : Math.max(2, Math.round((n / most) * 60)));
  return html`<section class="figure" aria-labelledby="${id}">
    <h3 id="${id}">${title}: ${number(all)}</h3>
    <svg
      class="chart"
      viewBox="0 0 ${hours.length * 10} 60"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      ${hours.map(
        ([, n], at) =>
          html`<rect
            x="${at * 10 + 1}"
            y="${60 - heightOf(n)}"
            width="8"
            height="${heightOf(n)}"
          />`,
      )}
    </svg>
    <details>
      <summary>By hour</summary>
      ${table(
        `${title} by hour`,
        ['Hour', 'Number'],
        hours.filter(([, n]) => n > 0).map(([hour, n]) => [time(hour), number(n)]),
      )}
    </details>
  </section>`;
}
