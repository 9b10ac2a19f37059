import { bdi, type Fragment, fill, html } from '../html/html.js';
import type { AppView, PageContext } from '../layout/page.js';
import { texts } from '../texts.js';
import { redirectTarget } from './redirect-target.js';

const { app: words } = texts;

const strong = (fragment: Fragment) => html`<strong>${fragment}</strong>`;

/** Who asks, and where the answer goes. */
export function aboutApp({ app, redirect }: PageContext) {
  const { label, opensApp, loopback } = redirectTarget(redirect.uri);
  const target = strong(bdi(label));
  return html`<dl aria-label="${words.about}">
      ${publisher(app)}
      ${row(words.returnsTo, opensApp ? fill(words.opensApp, { target }) : target)}
    </dl>
    ${loopback ? loopbackWarning(label) : ''}`;
}

const row = (name: string, value: Fragment) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

function publisher({ published, registeredAt }: AppView) {
  if (published !== null) return row(words.published, strong(bdi(published)));
  const unverified = fill(words.unverified, { mark: strong(words.unverifiedMark) });
  if (registeredAt === undefined) return row(words.publisher, unverified);
  const registered = fill(words.registered, { moment: html`${moment.format(registeredAt)} UTC` });
  return row(words.publisher, html`${unverified} ${registered}`);
}

const moment = new Intl.DateTimeFormat(texts.language, {
  dateStyle: 'medium',
  timeStyle: 'short',
  timeZone: 'UTC',
});

/** One line that says what to do; why, for whoever asks, without a script too. */
const loopbackWarning = (label: string) =>
  html`<details id="loopback" class="notice warning">
    <summary>${words.loopback} <span class="why">${words.loopbackWhy}</span></summary>
    <p>${fill(words.loopbackBecause, { target: strong(label) })}</p>
  </details>`;
