import { bdi, fill, html } from '../html/html.js';
import { oncePer } from '../html/once-per.js';
import type { PageTexts } from '../texts/en.js';
import { isIpAddress, localhostOrigin } from './redirect-target.js';

/** Where to go when passkeys cannot work here; the page script adds what only the browser knows. */
export const passkeysUnavailable = (texts: PageTexts, origin: string, localhost: string) =>
  isIpAddress(new URL(origin).hostname)
    ? addressHint(texts.passkeysUnavailable, origin, localhost)
    : unsupportedHint(texts.passkeysUnavailable);

type Words = PageTexts['passkeysUnavailable'];

function addressHint(words: Words, origin: string, localhost: string) {
  const there = localhostOrigin(origin);
  return html`<section id="address-hint" class="notice warning" aria-labelledby="address-heading">
    <h2 id="address-heading">${words.addressHeading}</h2>
    <p>${fill(words.address, { host: bdi(new URL(origin).hostname) })}</p>
    <p>
      ${there === undefined ? words.noHostName : fill(localhost, { here: bdi(origin), ...localhostLink(words, there) })}
    </p>
  </section>`;
}

const localhostLink = (words: Words, there: string) => ({
  there: html`<bdi><strong>${there}</strong></bdi>`,
  link: html`<a id="localhost-link" href="${there}">${words.localhostLink}</a>`,
});

const unsupportedHint = oncePer(
  (words: Words) =>
    html`<section
      id="unsupported"
      class="notice warning"
      aria-labelledby="unsupported-heading"
      hidden
    >
      <h2 id="unsupported-heading">${words.unsupportedHeading}</h2>
      <p>${words.unsupported}</p>
      <label for="link">${words.link}</label>
      <input id="link" dir="ltr" readonly />
      <button type="button" id="copy" class="main wide">${words.copy}</button>
    </section>`,
);
