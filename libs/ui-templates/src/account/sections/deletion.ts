import { html } from '../../html/html.js';
import { plainSection } from '../page/section.js';
import type { AccountTexts } from '../texts/en.js';

/** Deletes the account, and says goodbye afterwards. */
export const deletionSection = ({ deletion }: AccountTexts) =>
  plainSection({
    id: 'deletion',
    heading: deletion.heading,
    about: deletion.about,
    body: html`<button type="button" id="delete-account" class="danger" disabled>
        ${deletion.button}
      </button>
      <template id="deleted">
        <section class="card" aria-labelledby="deleted-heading">
          <h1 id="deleted-heading" tabindex="-1">${deletion.doneHeading}</h1>
          <p>${deletion.done}</p>
          <p><a href="/svc/account">${deletion.goOn}</a></p>
        </section>
      </template>`,
  });
