import { fill, html } from '#libs/ui-templates';
import { appIcon } from '../page/icons.js';
import { section } from '../page/section.js';
import { apps } from '../texts/apps.js';

/** What apps get that are connected. */
export interface GrantedAccess {
  /** What each scope allows; the description goes on after "It may". */
  readonly scopes: readonly { readonly name: string; readonly description: string }[];
  /** How long after consent it ends, whatever its use; without it none ends that is used. */
  readonly maxAgeMs?: number | undefined;
}

const row = html`<template id="app-row">
  <li class="row">
    ${appIcon}
    <div class="what">
      <p class="name"><bdi data-slot="name"></bdi></p>
      <p class="quiet" data-slot="origin"></p>
      <p class="quiet" data-slot="dates"></p>
      <div data-slot="may">
        <p class="may">${apps.may}</p>
        <ul data-slot="scopes" class="scopes"></ul>
      </div>
    </div>
    <div class="acts">
      <button type="button" data-slot="disconnect">${apps.disconnect}</button>
    </div>
  </li>
</template>`;

/** The apps that are connected, what each may do, and the end of it. */
export const appsSection = (origin: string, { scopes, maxAgeMs }: GrantedAccess) =>
  section({
    id: 'apps',
    heading: apps.heading,
    about: fill(apps.about, { address: html`<code>${origin}/svc/mcp</code>` }),
    body: html`<p id="no-apps" class="figure">${apps.none}</p>
      <ul
        id="app-list"
        class="rows"
        aria-labelledby="apps-heading"
        data-max-age="${maxAgeMs === undefined ? '' : String(maxAgeMs / 1000)}"
        data-scopes="${JSON.stringify(scopes.map(({ name, description }) => [name, description]))}"
      ></ul>
      ${row}`,
  });
