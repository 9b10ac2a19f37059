import { Script } from 'node:vm';
import { inlineJson } from '../html/inline-json.js';
import { texts } from '../texts.js';
import { consentScript, insideScriptElement, signInScript } from './inline-script.js';

describe.each([
  ['sign-in', signInScript(texts.script)],
  ['consent', consentScript],
])('%s script', (_page, script) => {
  it('is whole: it parses as a classic script, and starts itself with the texts', () => {
    expect(() => new Script(script)).not.toThrow();
    expect(script).toMatch(/^\(texts=>\{\s*"use strict";/);
    expect(script.endsWith(`})(${inlineJson(texts.script)});`)).toBe(true);
  });

  it('leads to no other file', () => {
    expect(script).not.toMatch(/\bimport\(|\brequire\(|sourceMappingURL/);
  });

  it('cannot leave its element', () => {
    expect(script).not.toMatch(/<\/script|<!--/i);
  });
});

describe('insideScriptElement', () => {
  it.each(['a</script>', 'a</SCRIPT', 'if (a<!--b)', 'a<script'])('throws for %s', (text) => {
    expect(() => insideScriptElement(text)).toThrow('not fit');
  });
});
