import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { Autofill } from './browser/autofill.js';
import * as ceremonies from './browser/ceremonies.js';
import { control, element, say, setBusy } from './browser/elements.js';
import { offerLocalhost, offerOtherBrowser } from './browser/elsewhere.js';
import { explain, explainRefusal, when } from './browser/explanation.js';
import * as service from './browser/service.js';
import { startConsent } from './browser/start-consent.js';
import { startSignIn } from './browser/start-sign-in.js';
import { type ScriptTexts, texts } from './texts.js';

type Declaration =
  ((...parameters: never[]) => unknown) | (abstract new (...parameters: never[]) => unknown);

const shared = [
  ...Object.values(service),
  control,
  element,
  say,
  setBusy,
  explain,
  explainRefusal,
  when,
];

/**
 * The page script is the text of the functions in browser/, as the running build has them. So there
 * is no bundler, no asset to copy and no file that only one of source tree and dist would have; the
 * price is that these are declarations without variables around them.
 */
function inlined(declarations: readonly Declaration[], start: (texts: ScriptTexts) => void) {
  const words = JSON.stringify(texts.script).replaceAll('<', String.raw`\u003c`);
  const text = [...declarations, start].map(String).join('\n');
  return insideScriptElement(`(() => {\n'use strict';\n${text}\n${start.name}(${words});\n})();`);
}

/** Throws when the text would end its element early, or never. */
export function insideScriptElement(text: string) {
  if (/<\/script|<script|<!--/i.test(text)) throw new Error('not fit for a script element');
  return text;
}

const LIBRARY = new URL(
  '../dist/bundle/index.umd.min.js',
  pathToFileURL(createRequire(import.meta.url).resolve('@simplewebauthn/browser')),
);
const library = insideScriptElement(readFileSync(LIBRARY, 'utf8'));
const fromLibrary =
  'const { startAuthentication, startRegistration, browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, WebAuthnAbortService } = SimpleWebAuthnBrowser;';

/** Classic scripts, ready to stand between script tags. */
export const consentScript = inlined(shared, startConsent);
export const signInScript = [
  library,
  fromLibrary,
  inlined(
    [...shared, ...Object.values(ceremonies), Autofill, offerLocalhost, offerOtherBrowser],
    startSignIn,
  ),
].join('\n');
