import { HIDDEN } from '#libs/platform/hidden-text';
import { type Fragment, html } from './html.js';

/** Beside hidden characters those that change the direction of what follows, or end a line where none is seen. */
const UNSEEN = String.raw`(${HIDDEN}|[\u{200E}\u{200F}\u{61C}\u{85}\u{2028}\u{2029}])`;
const ONE = new RegExp(UNSEEN, 'v');

const codePointOf = (character = '') =>
  `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;

export const hasUnseen = (text: string) => ONE.test(text);

/** A text of others with each character that people would not see as a mark, such as `U+202E`. */
export function shownText(text: string): Fragment {
  if (!hasUnseen(text)) return text;
  return text
    .split(new RegExp(UNSEEN, 'v'))
    .map((part, at) => (at % 2 === 0 ? part : html`<mark>${codePointOf(part)}</mark>`));
}
