import { bdi, fill, html } from '../html.js';
import { languageOf, type Page, type PageContext, page, type SiteContext } from '../layout/page.js';

export interface OpenInTabContext extends PageContext {
  readonly link: string;
}

/** The link of a page that no app leads to. */
type OwnPageContext = SiteContext & Pick<OpenInTabContext, 'link'> & { readonly app?: undefined };

/** Sent instead of the page when a script or a frame requests it: it contains nothing to answer. */
export function openInTabPage(context: OpenInTabContext | OwnPageContext): Page {
  const { openInTab } = languageOf(context).texts;
  const { app } = context;
  return page(context, {
    title: html`${openInTab.title}`,
    main: html`<h1>
        ${app === undefined ? openInTab.title : fill(openInTab.heading, { app: bdi(app.name) })}
      </h1>
      <p>${openInTab.reason}</p>
      <p><a href="${context.link}" target="_blank" rel="noopener">${openInTab.link}</a></p>
      <p class="quiet">${openInTab.again}</p>`,
  });
}
