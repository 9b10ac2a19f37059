import { type Fragment, type Html, html } from '../../html/html.js';
import type { AccountTexts } from '../texts/en.js';

interface SectionParts {
  /** Also the fragment of the section's address, as in `/svc/account#passkeys`. */
  readonly id: string;
  readonly heading: string;
  readonly about?: Fragment;
  readonly body: Html;
}

/** A card of the account page with the same content for every account. */
export const plainSection = ({ id, heading, about, body }: SectionParts) =>
  html`<section id="${id}" class="card" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading" tabindex="-1">${heading}</h2>
    ${about === undefined ? '' : html`<p class="quiet">${about}</p>`} ${body}
  </section>`;

/**
 * A card whose body its script fills in. While it loads, one line is reserved; on failure the card says so and offers
 * a retry.
 */
export const section = ({ page }: AccountTexts, { body, ...parts }: SectionParts) =>
  plainSection({
    ...parts,
    body: html`<div class="skeleton" data-part="loading"><span>${page.loading}</span></div>
      <div class="notice warning" data-part="fault" hidden>
        <p role="alert"></p>
        <button type="button">${page.tryAgain}</button>
      </div>
      <div data-part="body" hidden>${body}</div>`,
  });
