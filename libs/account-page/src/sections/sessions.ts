import { html } from '#libs/ui-templates';
import { screenIcon } from '../page/icons.js';
import { section } from '../page/section.js';
import { sessions } from '../texts/sessions.js';

const row = html`<template id="session-row">
  <li class="row">
    ${screenIcon}
    <div class="what">
      <p class="name">
        <bdi data-slot="name"></bdi>
        <span class="badge" data-slot="current">${sessions.current}</span>
      </p>
      <p class="quiet" data-slot="dates"></p>
    </div>
    <div class="acts"><button type="button" data-slot="end">${sessions.end}</button></div>
  </li>
</template>`;

/** The browsers that are signed in, and the end of them. */
export const sessionsSection = section({
  id: 'sessions',
  heading: sessions.heading,
  about: sessions.about,
  body: html`<ul id="session-list" class="rows" role="list" aria-labelledby="sessions-heading"></ul>
    ${row}
    <div class="decision">
      <button type="button" id="end-others">${sessions.endOthers}</button>
    </div>`,
});
