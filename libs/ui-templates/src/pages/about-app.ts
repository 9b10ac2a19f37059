import { bdi, breakable, fill, type Fragment, html } from '../html.js';
import { type AppView, languageOf, type PageContext } from '../layout/page.js';
import type { PageLanguage } from '../texts/languages.js';
import type { PageTexts } from '../texts/pages.en.js';
import { momentWords } from './figures.js';

/**
 * Where the answer goes, in the terms by which a person decides: `label` is the host of a web address, and scheme and
 * host of one that opens an app; on `loopback` any program may be the one that listens. Throws TypeError for an
 * invalid URL.
 */
export function redirectTarget(redirectUri: string) {
  const { protocol, host, hostname } = new URL(redirectUri);
  const opensApp = protocol !== 'http:' && protocol !== 'https:';
  const address = host === '' ? protocol : `${protocol}//${host}`;
  return { label: opensApp ? address : host, opensApp, loopback: isLoopback(hostname) };
}

const isLoopback = (hostname: string) =>
  /^((.+\.)?localhost\.?|127(\.\d{1,3}){3}|\[::1\])$/i.test(hostname);

/** Whether a host name is an IP address, which can never be the relying party of a passkey. */
export const isIpAddress = (hostname: string) => /^(\d{1,3}(\.\d{1,3}){3}|\[.+\])$/.test(hostname);

/** The same origin under the name for which browsers allow passkeys; undefined unless it is a loopback address. */
export function localhostOrigin(origin: string): string | undefined {
  const url = new URL(origin);
  if (!isIpAddress(url.hostname) || !isLoopback(url.hostname)) return undefined;
  url.hostname = 'localhost';
  return url.origin;
}

export const strong = (fragment: Fragment) => html`<strong>${fragment}</strong>`;

export const signedInAs = ({ consent }: PageTexts, userName: string) =>
  html`<p class="quiet">${fill(consent.signedInAs, { user: strong(bdi(userName)) })}</p>`;

/** A line of a narrow page has room for this many characters. */
const LINE = 30;

/** A host that is longer than a line breaks at its dots. */
export const hostName = (host: string) => strong(bdi(host.length > LINE ? breakable(host) : host));

/** The app that asks, and the address that its answer goes to. */
export function aboutApp(context: PageContext) {
  const language = languageOf(context);
  const words = language.texts.app;
  const { label, opensApp, loopback } = redirectTarget(context.redirect.uri);
  const target = hostName(label);
  return html`<dl aria-label="${words.about}">
      ${publisherRow(language, context.app)}
      ${row(words.returnsTo, opensApp ? fill(words.opensApp, { target }) : target)}
    </dl>
    ${loopback ? loopbackWarning(language, target) : ''}`;
}

export const row = (name: string, value: Fragment) =>
  html`<div>
    <dt>${name}</dt>
    <dd>${value}</dd>
  </div>`;

/** Whose app it is, as far as that is known: the host of the document that describes it. */
export function publisherRow(
  language: PageLanguage,
  { published, registeredAt }: Omit<AppView, 'name'>,
) {
  const { app } = language.texts;
  if (published !== null) return row(app.published, hostName(published));
  const unverified = fill(app.unverified, { mark: strong(app.unverifiedMark) });
  if (registeredAt === undefined) return row(app.publisher, unverified);
  const moment = momentWords(language, registeredAt);
  return row(app.publisher, html`${unverified} ${fill(app.registered, { moment })}`);
}

/** One line that says what to do; the reason can be expanded, without a script too. */
const loopbackWarning = ({ texts: { app } }: PageLanguage, target: Fragment) =>
  html`<details id="loopback" class="notice warning">
    <summary>${app.loopback} <span class="why">${app.loopbackWhy}</span></summary>
    <p>${fill(app.loopbackBecause, { target })}</p>
  </details>`;
