import { html } from '../../html/html.js';
import { keyIcon } from '../page/icons.js';
import { section } from '../page/section.js';
import type { AccountTexts } from '../texts/en.js';

const row = (passkeys: AccountTexts['passkeys']) =>
  html`<template id="passkey-row">
    <li class="row">
      ${keyIcon}
      <div class="what">
        <p class="name">
          <bdi data-slot="name"></bdi>
          <span class="badge" data-slot="current">${passkeys.current}</span>
        </p>
        <p class="quiet" data-slot="kept"></p>
        <p class="quiet" data-slot="dates"></p>
      </div>
      <div class="acts">
        <button type="button" data-slot="rename">${passkeys.rename}</button>
        <button type="button" data-slot="remove">${passkeys.remove}</button>
      </div>
    </li>
  </template>`;

/** The passkeys of the account, and what losing the last one means. */
export const passkeysSection = (texts: AccountTexts) =>
  section(texts, {
    id: 'passkeys',
    heading: texts.passkeys.heading,
    about: texts.passkeys.about,
    body: html`<ul
        id="passkey-list"
        class="rows"
        role="list"
        aria-labelledby="passkeys-heading"
      ></ul>
      ${row(texts.passkeys)}
      <div id="passkey-loss" class="notice warning" hidden>
        <h3>${texts.passkeys.loss}</h3>
        <p></p>
      </div>
      <p id="passkey-fault" class="fault" role="alert"></p>
      <p id="passkey-waiting" class="waiting" role="status"></p>
      <div class="decision">
        <button type="button" id="add-passkey" aria-describedby="add-hint">
          ${texts.passkeys.add}
        </button>
        <a id="get-codes" class="button" href="#recovery-codes" hidden>${texts.passkeys.codes}</a>
      </div>
      <p id="add-hint" class="quiet">${texts.passkeys.addHint}</p>`,
  });
