import { consent, signIn } from '#page-scripts';
import { texts } from '../texts.js';

const words = JSON.stringify(texts.script).replaceAll('<', String.raw`\u003c`);
const inline = (bundle: string) => insideScriptElement(`${bundle}(${words});`);

/** Throws when the text would end its element early, or never. */
export function insideScriptElement(text: string) {
  if (/<\/script|<script|<!--/i.test(text)) throw new Error('not fit for a script element');
  return text;
}

/** Classic scripts, ready to stand between script tags. */
export const consentScript = inline(consent);
export const signInScript = inline(signIn);
