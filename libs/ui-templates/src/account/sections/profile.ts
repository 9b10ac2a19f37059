import { bdi, html } from '../../html/html.js';
import { overviewLine } from './overview.js';
import type { AccountTexts } from '../texts/en.js';

interface Owner {
  readonly id: string;
  readonly displayName: string;
}

/** Who is signed in, with the summary of the account. */
export const profileSection = ({ page, profile }: AccountTexts, { id, displayName }: Owner) =>
  html`<div id="profile" class="card who" data-user="${id}">
    <span id="initial" class="initial" aria-hidden="true"></span>
    <h1 id="display-name">${bdi(displayName)}</h1>
    ${overviewLine}
    <div class="acts">
      <button type="button" id="rename" disabled>${profile.rename}</button>
      <button type="button" id="sign-out" disabled>${page.signOut}</button>
    </div>
  </div>`;
