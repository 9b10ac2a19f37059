import { html } from '../../html/html.js';
import { section } from '../page/section.js';
import type { AccountTexts } from '../texts/en.js';

/** The number of recovery codes left, and new codes, which are shown here once. */
export const recoveryCodesSection = (texts: AccountTexts) => {
  const { recoveryCodes } = texts;
  return section(texts, {
    id: 'recovery-codes',
    heading: recoveryCodes.heading,
    about: recoveryCodes.about,
    body: html`<p id="codes-left" class="figure"></p>
      <p id="codes-fault" class="fault" role="alert"></p>
      <p id="codes-waiting" class="waiting" role="status"></p>
      <div class="decision"><button type="button" id="create-codes"></button></div>
      <div id="new-codes" class="notice" hidden>
        <h3 id="new-codes-heading" tabindex="-1">${recoveryCodes.shownHeading}</h3>
        <p>${recoveryCodes.shown}</p>
        <p id="codes-owner" class="quiet"></p>
        <ol id="codes" class="codes" aria-labelledby="new-codes-heading"></ol>
        <p id="codes-address"></p>
        <div class="acts">
          <button type="button" id="copy-codes">${recoveryCodes.copy}</button>
          <button type="button" id="download-codes">${recoveryCodes.download}</button>
          <button type="button" id="print-codes">${recoveryCodes.print}</button>
          <button type="button" id="codes-kept">${recoveryCodes.done}</button>
        </div>
      </div>`,
  });
};
