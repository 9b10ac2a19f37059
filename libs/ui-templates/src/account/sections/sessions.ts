import { html } from '../../html/html.js';
import { deviceIcons } from '../page/icons.js';
import { section } from '../page/section.js';
import type { AccountTexts } from '../texts/en.js';

const row = (sessions: AccountTexts['sessions']) =>
  html`<template id="session-row">
    <li class="row">
      <span class="device" data-slot="device">${deviceIcons}</span>
      <div class="what">
        <p class="name">
          <span data-slot="name"></span>
          <span class="badge" data-slot="current">${sessions.current}</span>
        </p>
        <p class="quiet" data-slot="dates"></p>
      </div>
      <div class="acts"><button type="button" data-slot="end">${sessions.end}</button></div>
    </li>
  </template>`;

/** The signed-in browsers, and how to end their sessions. */
export const sessionsSection = (texts: AccountTexts) =>
  section(texts, {
    id: 'sessions',
    heading: texts.sessions.heading,
    about: texts.sessions.about,
    body: html`<ul
        id="session-list"
        class="rows"
        role="list"
        aria-labelledby="sessions-heading"
      ></ul>
      ${row(texts.sessions)}
      <div class="decision">
        <button type="button" id="end-others">${texts.sessions.endOthers}</button>
      </div>`,
  });
