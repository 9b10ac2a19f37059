import { bdi, fill, html } from '../html/html.js';
import { languageOf, type Page, type PageContext, page } from '../layout/page.js';

export interface OpenInTabContext extends PageContext {
  /** Path and query of the page that was asked for. */
  readonly link: string;
}

/** In place of the page for a script or a frame that asks for it: nothing on it can be answered. */
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
