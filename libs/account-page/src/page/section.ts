import { type Fragment, type Html, html } from '#libs/ui-templates';
import { page } from '../texts/page.js';

interface SectionParts {
  /** Also the section's address on the page, as in `/svc/account#passkeys`. */
  readonly id: string;
  readonly heading: string;
  readonly about?: Fragment;
  /** Shown once the section's script has filled it in. */
  readonly body: Html;
}

/**
 * A card of the account page. Until its script has shown what the service said, it keeps a line's
 * room; where that failed, it says so and offers to try again.
 */
export const section = ({ id, heading, about = '', body }: SectionParts) =>
  html`<section id="${id}" class="card" aria-labelledby="${id}-heading" aria-busy="true">
    <h2 id="${id}-heading" tabindex="-1">${heading}</h2>
    ${about === '' ? '' : html`<p class="quiet">${about}</p>`}
    <div class="skeleton" data-part="loading"><span>${page.loading}</span></div>
    <div class="notice warning" data-part="fault" hidden>
      <p role="alert"></p>
      <button type="button">${page.tryAgain}</button>
    </div>
    <div data-part="body" hidden>${body}</div>
  </section>`;
