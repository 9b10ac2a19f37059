import { Script } from 'node:vm';
import { consentScript, insideScriptElement, signInScript } from './page-script.js';
import { texts } from './texts.js';

describe.each([
  ['sign-in', signInScript, 'startSignIn'],
  ['consent', consentScript, 'startConsent'],
])('%s script', (_page, script, start) => {
  it('is whole: it parses, and starts itself with the texts', () => {
    expect(() => new Script(script)).not.toThrow();
    expect(script).toContain(`${start}({"signingIn":`);
    expect(script).toContain(texts.script.offline);
  });

  it('is a classic script', () => {
    expect(script).not.toMatch(/^\s*(import|export)\b/m);
  });

  it('cannot leave its element', () => {
    expect(script).not.toMatch(/<\/script|<!--/i);
  });
});

describe('the ceremony library', () => {
  it('is inlined where ceremonies are run, and only there', () => {
    expect(signInScript).toContain('@simplewebauthn/browser@14');
    expect(consentScript).not.toContain('@simplewebauthn');
  });
});

describe('insideScriptElement', () => {
  it.each(['a</script>', 'a</SCRIPT', 'if (a<!--b)', 'a<script'])('throws for %s', (text) => {
    expect(() => insideScriptElement(text)).toThrow('not fit');
  });
});
