import { bdi, fill, html } from '../html.js';
import { languageOf, type Page, page, type PageContext } from '../layout/page.js';
import { aboutApp, signedInAs } from './about-app.js';

export interface RefusedContext extends PageContext {
  readonly userName: string;
  readonly handle: string;
  /** Why this person may not connect the app, in the words of the team's policy. */
  readonly refusal: string;
}

/** In place of the consent form, for a person whom the team's policy refuses: the way back tells the app. */
export function refusedPage(context: RefusedContext): Page {
  const { texts } = languageOf(context);
  const { refused } = texts;
  const { name } = context.app;
  return page(context, {
    title: fill(refused.heading, { app: name }),
    main: html`<h1>${fill(refused.heading, { app: bdi(name) })}</h1>
      ${signedInAs(texts, context.userName)}
      <p id="refusal" dir="auto">${context.refusal}</p>
      ${aboutApp(context)}
      <form id="consent" method="POST" action="/svc/oauth/authorize">
        <input type="hidden" name="handle" value="${context.handle}" />
        <div class="decision">
          <button type="submit" name="decision" value="deny" class="main">${refused.back}</button>
        </div>
      </form>
      <p class="quiet">${refused.next}</p>`,
  });
}
