import { consent, signIn } from '#page-scripts';
import { oncePer } from '../html/once-per.js';

/**
 * A bundle of `#page-scripts` as a classic script for a script element. It is the same in every language; it reads
 * its texts from an element before it.
 */
export const inlineScript = (bundle: string) =>
  insideScriptElement(
    `${bundle}(JSON.parse(document.getElementById('${SCRIPT_TEXTS}').textContent));`,
  );

/** Id of the element that contains the script's texts as JSON. */
export const SCRIPT_TEXTS = 'script-texts';

const escaped = (character: string) =>
  String.raw`\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/**
 * JSON for a script element. Typographic marks are escaped: a single two-byte character would double the memory of an
 * otherwise one-byte page and triple the time to send it.
 */
const inlineJson = (value: object): string =>
  JSON.stringify(value).replaceAll(/[<\u2010-\u2027]/g, escaped);

/** The texts in the form in which that element contains them. */
export const scriptTexts = oncePer(inlineJson);

/** Throws when the text would end its script element early, or keep it from ending. */
export function insideScriptElement(text: string) {
  if (/<\/script|<script|<!--/i.test(text)) throw new Error('not fit for a script element');
  return text;
}

export const consentScript = inlineScript(consent);
export const signInScript = inlineScript(signIn);
