import { Script } from 'node:vm';
import { consent, signIn } from '#page-scripts';
import { inlineScript, insideScriptElement, scriptTexts } from './page.js';

describe.each([
  ['sign-in', inlineScript(signIn)],
  ['consent', inlineScript(consent)],
])('%s script', (_page, script) => {
  it('is whole: it parses as a classic script, and starts itself with the texts of the page', () => {
    expect(() => new Script(script)).not.toThrow();
    expect(script).toMatch(/^\(texts=>\{\s*"use strict";/);
    const texts = `document.getElementById('script-texts').textContent`;
    expect(script.endsWith(`})(JSON.parse(${texts}));`)).toBe(true);
  });

  it('leads to no other file', () => {
    expect(script).not.toMatch(/\bimport\(|\brequire\(|sourceMappingURL/);
  });

  it('cannot leave its element', () => {
    expect(script).not.toMatch(/<\/script|<!--/i);
  });
});

describe('the texts of a script', () => {
  it('are JSON that cannot leave its element, of one byte a character in Western languages', () => {
    const texts = { end: '</script><!-- “é…”' };
    const json = scriptTexts(texts);
    expect(json).toBe(String.raw`{"end":"\u003c/script>\u003c!-- \u201cé\u2026\u201d"}`);
    expect(JSON.parse(json)).toEqual(texts);
  });
});

describe('insideScriptElement', () => {
  it.each(['a</script>', 'a</SCRIPT', 'if (a<!--b)', 'a<script'])('throws for %s', (text) => {
    expect(() => insideScriptElement(text)).toThrow('not fit');
  });
});
