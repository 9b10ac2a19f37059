import { bdi, fill, html } from '../html.js';
import { languageOf, type Page, type PageContext, page } from '../layout/page.js';

export interface OpenInTabContext extends PageContext {
  readonly link: string;
}

/** Sent instead of the page when a script or a frame requests it: it contains nothing to answer. */
export function openInTabPage(context: OpenInTabContext): Page {
  const { openInTab } = languageOf(context).texts;
  const app = bdi(context.app.name);
  return page(context, {
    title: html`${openInTab.title}`,
    main: html`<h1>${fill(openInTab.heading, { app })}</h1>
      <p>${openInTab.reason}</p>
      <p><a href="${context.link}" target="_blank" rel="noopener">${openInTab.link}</a></p>
      <p class="quiet">${openInTab.again}</p>`,
  });
}
