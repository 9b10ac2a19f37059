import { fill, html } from '../html/html.js';
import { texts } from '../texts.js';
import { isIpAddress, localhostOrigin } from './redirect-target.js';

/** Where to go when passkeys cannot work here; the page script shows what only it can find out. */
export const passkeysUnavailable = (origin: string, localhost: string) =>
  isIpAddress(new URL(origin).hostname) ? addressHint(origin, localhost) : unsupportedHint;

const { passkeysUnavailable: words } = texts;

function addressHint(origin: string, localhost: string) {
  const there = localhostOrigin(origin);
  return html`<section id="address-hint" class="notice warning" aria-labelledby="address-heading">
    <h2 id="address-heading">${words.addressHeading}</h2>
    <p>${fill(words.address, { host: new URL(origin).hostname })}</p>
    <p>${there === undefined ? words.noHostName : localhostHint(localhost, origin, there)}</p>
  </section>`;
}

const localhostHint = (text: string, here: string, there: string) =>
  fill(text, {
    here,
    there: html`<strong>${there}</strong>`,
    link: html`<a id="localhost-link" href="${there}">${words.localhostLink}</a>`,
  });

const unsupportedHint = html`<section
  id="unsupported"
  class="notice warning"
  aria-labelledby="unsupported-heading"
  hidden
>
  <h2 id="unsupported-heading">${words.unsupportedHeading}</h2>
  <p>${words.unsupported}</p>
  <label for="link">${words.link}</label>
  <input id="link" readonly />
  <button type="button" id="copy" class="main wide">${words.copy}</button>
</section>`;
