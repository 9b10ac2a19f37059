import { type Fragment, type Html, html } from '#libs/ui-templates';
import type { AccountTexts } from '../texts/en.js';

interface SectionParts {
  /** Also the section's address on the page, as in `/svc/account#passkeys`. */
  readonly id: string;
  readonly heading: string;
  readonly about?: Fragment;
  readonly body: Html;
}

/** A card of the account page that is the same for everybody. */
export const plainSection = ({ id, heading, about, body }: SectionParts) =>
  html`<section id="${id}" class="card" aria-labelledby="${id}-heading">
    <h2 id="${id}-heading" tabindex="-1">${heading}</h2>
    ${about === undefined ? '' : html`<p class="quiet">${about}</p>`} ${body}
  </section>`;

/**
 * A card whose body its script fills in. Until then it keeps a line's room; where that failed, it says
 * so and offers to try again.
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
