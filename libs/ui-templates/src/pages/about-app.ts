import { bdi, type Fragment, fill, html } from '../html/html.js';
import { oncePer } from '../html/once-per.js';
import { type AppView, languageOf, type PageContext } from '../layout/page.js';
import type { PageLanguage } from '../texts/page-languages.js';
import { redirectTarget } from './redirect-target.js';

const strong = (fragment: Fragment) => html`<strong>${fragment}</strong>`;

/** The app that asks, and the address that its answer goes to. */
export function aboutApp(context: PageContext) {
  const language = languageOf(context);
  const words = language.texts.app;
  const { label, opensApp, loopback } = redirectTarget(context.redirect.uri);
  const target = strong(bdi(label));
  return html`<dl aria-label="${words.about}">
      ${publisher(context.app, language)}
      ${row(words.returnsTo, opensApp ? fill(words.opensApp, { target }) : target)}
    </dl>
    ${loopback ? loopbackWarning(language, target) : ''}`;
}

const row = (name: string, value: Fragment) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

function publisher({ published, registeredAt }: AppView, language: PageLanguage) {
  const { app } = language.texts;
  if (published !== null) return row(app.published, strong(bdi(published)));
  const unverified = fill(app.unverified, { mark: strong(app.unverifiedMark) });
  if (registeredAt === undefined) return row(app.publisher, unverified);
  const moment = html`${momentFormat(language).format(registeredAt)} UTC`;
  return row(app.publisher, html`${unverified} ${fill(app.registered, { moment })}`);
}

const momentFormat = oncePer(
  ({ tag }: PageLanguage) =>
    new Intl.DateTimeFormat(tag, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }),
);

/** One line that says what to do; the reason can be expanded, without a script too. */
const loopbackWarning = ({ texts: { app } }: PageLanguage, target: Fragment) =>
  html`<details id="loopback" class="notice warning">
    <summary>${app.loopback} <span class="why">${app.loopbackWhy}</span></summary>
    <p>${fill(app.loopbackBecause, { target })}</p>
  </details>`;
