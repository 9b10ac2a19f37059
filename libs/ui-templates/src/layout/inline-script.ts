import { consent, signIn } from '#page-scripts';
import { oncePer } from '../html/once-per.js';

/**
 * A bundle of `#page-scripts` as a classic script, ready to stand between script tags. It is the same in
 * every language: its texts stand in an element before it.
 */
export const inlineScript = (bundle: string) =>
  insideScriptElement(
    `${bundle}(JSON.parse(document.getElementById('${SCRIPT_TEXTS}').textContent));`,
  );

/** Id of the element that has the texts of the page's script, as JSON. */
export const SCRIPT_TEXTS = 'script-texts';

const escaped = (character: string) =>
  String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * JSON that may stand in a script element. Typographic marks are escapes in it: a single character of two bytes makes
 * a whole page of one-byte characters take twice the memory and three times as long to send.
 */
const inlineJson = (value: object): string =>
  JSON.stringify(value).replaceAll(/[<\u2010-\u2027]/g, escaped);

/** Texts as they stand in that element. */
export const scriptTexts = oncePer(inlineJson);

/** Throws when the text would end its element early, or never. */
export function insideScriptElement(text: string) {
  if (/<\/script|<script|<!--/i.test(text)) throw new Error('not fit for a script element');
  return text;
}

export const consentScript = inlineScript(consent);
export const signInScript = inlineScript(signIn);
