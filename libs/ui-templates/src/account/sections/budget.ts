import { html } from '../../html/html.js';
import { section } from '../page/section.js';
import type { AccountTexts } from '../texts/en.js';

/** How many credits are left today; page-script/sections/budget.ts fills it in. */
export const budgetSection = (texts: AccountTexts) =>
  section(texts, {
    id: 'budget',
    heading: texts.budget.heading,
    about: texts.budget.about,
    body: html`<p id="budget-left" class="figure"></p>
      <svg id="budget-gauge" class="gauge" aria-hidden="true">
        <rect class="whole" width="100%" height="100%" />
        <rect class="part" width="0" height="100%" />
      </svg>
      <p id="budget-renews" class="quiet"></p>`,
  });
