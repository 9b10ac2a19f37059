import { contentSecurityPolicy, redirectSources } from './content-security-policy.js';

const NONCE = 'AAAAAAAAAAAAAAAAAAAAAA';
const policy = (redirectUri: string, extraFormActions: string[] = []) =>
  contentSecurityPolicy({ nonce: NONCE, redirectUri, extraFormActions });

describe('content security policy', () => {
  it('names every directive of the contract and nothing else', () => {
    expect(policy('https://app.example/callback?x=1')).toBe(
      [
        "default-src 'none'",
        `script-src 'nonce-${NONCE}'`,
        `style-src 'nonce-${NONCE}'`,
        "connect-src 'self'",
        "form-action 'self' https://app.example",
        "base-uri 'none'",
        "frame-ancestors 'none'",
      ].join('; '),
    );
  });

  it('lets forms go nowhere else without a redirect', () => {
    expect(contentSecurityPolicy({ nonce: NONCE })).toContain("; form-action 'self'; ");
  });

  it.each([
    ['https://app.example/cb', 'https://app.example'],
    ['https://app.example:443/cb', 'https://app.example'],
    ['https://app.example:8443/cb', 'https://app.example:8443'],
    ['https://user:secret@app.example/cb', 'https://app.example'],
    ['https://APP.example/cb;script-src *', 'https://app.example'],
    ['https://bücher.example/cb', 'https://xn--bcher-kva.example'],
    ['https://my_app.example/cb', 'https://my_app.example'],
    ['http://localhost:4711/cb', 'http://localhost:4711'],
    ['http://127.0.0.1:4711/cb', 'http://127.0.0.1:4711'],
    ['http://[::1]:4711/cb', 'http://[::1]:4711 http:'],
    ['https://[2001:db8::1]/cb', 'https://[2001:db8::1] https:'],
    ['cursor://anysphere.cursor-mcp/oauth', 'cursor:'],
    ['com.example.app:/cb', 'com.example.app:'],
    ['COM.Example.App:/cb; script-src *', 'com.example.app:'],
  ])('%s is let through as %s', (redirectUri, sources) => {
    expect(redirectSources(redirectUri).join(' ')).toBe(sources);
    expect(policy(redirectUri)).toContain(`form-action 'self' ${sources}; base-uri`);
  });

  it.each([
    ['a semicolon in the host', 'https://a;script-src.example/'],
    ['a comma in the host', 'https://a,b.example/'],
    ['a quote in the host', "https://'unsafe-inline'.example/"],
    ['a double quote in the host', 'https://a"b.example/'],
    ['a wildcard host', 'https://*/'],
    ['a wildcard in the host', 'https://*.example/'],
    ['a space in the host', 'https://a b.example/'],
    ['a trailing dot, which CSP cannot name', 'https://app.example./'],
    ['no host', 'https:'],
    ['no URL', 'app.example/cb'],
    ['a script', 'javascript:alert(1)//'],
    ['a script, in capitals and after white space', ' JavaScript:alert(1)'],
    ['a document of its own', 'data:text/html,x'],
    ['a blob', 'blob:https://app.example/1'],
    ['a file', 'file:///etc/passwd'],
    ['a web socket', 'wss://app.example/'],
    ['a web socket without TLS', 'ws://app.example/'],
  ])('refuses %s', (_attempt, redirectUri) => {
    expect(() => policy(redirectUri)).toThrow(/not a CSP source|Invalid URL/);
  });

  it('a line break never reaches the header', () => {
    expect(policy('https://app.exa\r\nmple/c\nb')).toMatch(/^[\x20-\x7e]+$/);
    expect(policy('cur\nsor://x')).toContain("'self' cursor:;");
  });

  it('appends configured sources', () => {
    expect(policy('https://app.example/', ['claude:', 'https://*.example.com:8443'])).toContain(
      "form-action 'self' https://app.example claude: https://*.example.com:8443; ",
    );
  });

  it.each(['', 'a b', "'unsafe-inline'", 'a;b', 'a,b', 'a\nb', 'https://ä.example'])(
    'refuses the configured source %j',
    (source) => {
      expect(() => policy('https://app.example/', [source])).toThrow(TypeError);
    },
  );

  it.each(['', 'short', `${NONCE}'`, `${NONCE}; x`, `'${NONCE}`, `x; ${NONCE}`])(
    'refuses the nonce %j',
    (nonce) => {
      expect(() =>
        contentSecurityPolicy({ nonce, redirectUri: 'https://a.example', extraFormActions: [] }),
      ).toThrow(TypeError);
    },
  );
});
