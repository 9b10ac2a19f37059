import { html } from '../../html/html.js';
import { section } from '../page/section.js';
import type { AccountTexts } from '../texts/en.js';

const row = (activity: AccountTexts['activity']) =>
  html`<template id="event-row">
    <li class="event" tabindex="-1">
      <p class="name" data-slot="what"></p>
      <p class="quiet" data-slot="where"></p>
      <details data-slot="more">
        <summary data-slot="question">${activity.notYou}</summary>
        <p><span data-slot="advice"></span> <a data-slot="link"></a></p>
      </details>
    </li>
  </template>`;

/** The account's recent activity, with advice for people who did not cause it. */
export const activitySection = (texts: AccountTexts) =>
  section(texts, {
    id: 'activity',
    heading: texts.activity.heading,
    about: texts.activity.about,
    body: html`<p id="no-events" class="figure">${texts.activity.none}</p>
      <ol id="event-list" class="rows events" aria-labelledby="activity-heading"></ol>
      ${row(texts.activity)}
      <div id="more-events" class="decision"><button type="button" id="all-events"></button></div>`,
  });
