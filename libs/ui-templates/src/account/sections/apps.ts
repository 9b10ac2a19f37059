import { fill, html } from '../../html/html.js';
import { textFor } from '../../locale/look-up.js';
import { appIcon } from '../page/icons.js';
import { section } from '../page/section.js';
import type { AccountTexts } from '../texts/en.js';

interface GrantedScope {
  readonly name: string;
  readonly description: string;
  /** The description in other languages, by BCP 47 tag. */
  readonly texts?: Readonly<Record<string, string>> | undefined;
}

/** The access that connected apps have. */
export interface GrantedAccess {
  /** What each scope allows; the description continues after "It can". */
  readonly scopes: readonly GrantedScope[];
  /** How long after consent access ends in any case; without it, access that is used does not end. */
  readonly maxAgeMs?: number | undefined;
}

const row = (apps: AccountTexts['apps']) =>
  html`<template id="app-row">
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

interface Connectable {
  readonly origin: string;
  readonly access: GrantedAccess;
  /** The language of the scopes' descriptions. */
  readonly tag: string;
}

/** The connected apps, what each may do, and how to disconnect them. */
export const appsSection = (texts: AccountTexts, { origin, access, tag }: Connectable) => {
  const { apps } = texts;
  const { scopes, maxAgeMs } = access;
  return section(texts, {
    id: 'apps',
    heading: apps.heading,
    about: fill(apps.about, { address: html`<code dir="ltr">${breakable(origin)}/svc/mcp</code>` }),
    body: html`<p id="no-apps" class="figure">${apps.none}</p>
      <ul
        id="app-list"
        class="rows"
        aria-labelledby="apps-heading"
        data-max-age="${maxAgeMs === undefined ? '' : String(maxAgeMs / 1000)}"
        data-scopes="${JSON.stringify(scopes.map((scope) => [scope.name, describe(scope, tag)]))}"
      ></ul>
      ${row(apps)}`,
  });
};

/** Allows a line break after each dot. */
const breakable = (origin: string) =>
  origin.split(/(?<=\.)/).map((label, n) => (n === 0 ? label : html`<wbr />${label}`));

const describe = ({ description, texts }: GrantedScope, tag: string) =>
  textFor(tag, texts) ?? description;
