import { markup } from './en/markup.js';
import { script } from './en/script.js';

/** English: what texts of other languages are held against. */
export const english = { ...markup, script };

/** What stands in the pages. */
export type MarkupTexts = typeof markup;

/** Everything that people read on the sign-in and consent pages, and what other pages share with them. */
export type PageTexts = typeof english;

/** What the page script says. */
export type ScriptTexts = typeof script;
