import { consent, signIn } from '#page-scripts';
import { inlineJson } from '../html/inline-json.js';
import { type ScriptTexts, texts } from '../texts.js';

/** A bundle of `#page-scripts` with its texts: a classic script, ready to stand between script tags. */
export const inlineScript = (bundle: string, words: object) =>
  insideScriptElement(`${bundle}(${inlineJson(words)});`);

/** Throws when the text would end its element early, or never. */
export function insideScriptElement(text: string) {
  if (/<\/script|<script|<!--/i.test(text)) throw new Error('not fit for a script element');
  return text;
}

export const consentScript = inlineScript(consent, texts.script);
export const signInScript = (words: ScriptTexts) => inlineScript(signIn, words);
