import { html } from '../../html/html.js';
import { section } from '../page/section.js';
import type { AccountTexts } from '../texts/en.js';

/**
 * The first section in a session that began with a recovery, `since` in epoch seconds: offers to add a passkey, and
 * once there is a new one, says what to do about the lost ones.
 */
export const recoveredSection = (texts: AccountTexts, since: number) => {
  const { recovered } = texts;
  return section(texts, {
    id: 'recovered',
    heading: recovered.heading,
    body: html`<div id="recovered-todo" data-since="${since}">
        <p id="recovered-about">${recovered.about}</p>
        <p id="recovered-fault" class="fault" role="alert"></p>
        <p id="recovered-waiting" class="waiting" role="status"></p>
        <div class="decision">
          <button type="button" id="recovered-add" class="main" aria-describedby="recovered-about">
            ${recovered.act}
          </button>
        </div>
      </div>
      <div id="recovered-done" data-heading="${recovered.doneHeading}" hidden>
        <p>${recovered.done}</p>
        <div class="decision">
          <a class="button" href="#passkeys">${recovered.passkeys}</a>
          <a class="button" href="#recovery-codes">${recovered.codes}</a>
        </div>
      </div>`,
  });
};
