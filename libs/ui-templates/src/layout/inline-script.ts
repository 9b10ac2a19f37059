import { consent, signIn } from '#page-scripts';
import { inlineJson } from '../html/inline-json.js';
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

/** Texts as they stand in that element. */
export const scriptTexts = oncePer(inlineJson);

/** Throws when the text would end its element early, or never. */
export function insideScriptElement(text: string) {
  if (/<\/script|<script|<!--/i.test(text)) throw new Error('not fit for a script element');
  return text;
}

export const consentScript = inlineScript(consent);
export const signInScript = inlineScript(signIn);
