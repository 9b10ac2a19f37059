import { html } from '../../html/html.js';
import type { AccountTexts } from '../texts/en.js';

/** A confirmation dialog; page-script/dialog.ts operates it. Cancel comes first, so that it gets the focus. */
export const dialog = ({ page }: AccountTexts, id: string) =>
  html`<dialog id="${id}" aria-labelledby="${id}-title" aria-describedby="${id}-text">
    <form>
      <h2 id="${id}-title"></h2>
      <p id="${id}-text"></p>
      <div id="${id}-field" hidden>
        <label id="${id}-label" for="${id}-input"></label>
        <input
          id="${id}-input"
          dir="auto"
          autocomplete="off"
          spellcheck="false"
          aria-describedby="${id}-hint"
          aria-errormessage="${id}-fault"
        />
        <p id="${id}-hint" class="quiet"></p>
      </div>
      <p id="${id}-fault" class="fault" role="alert"></p>
      <p id="${id}-waiting" class="waiting" role="status"></p>
      <div class="decision">
        <button type="button" id="${id}-cancel">${page.cancel}</button>
        <button type="submit" id="${id}-act" class="main"></button>
      </div>
    </form>
  </dialog>`;
