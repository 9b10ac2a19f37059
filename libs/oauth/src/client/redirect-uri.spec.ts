import {
  isSameRedirect,
  isUsableRedirect,
  lacksAllowedScheme,
  matchesRegistered,
  normalRedirectHost,
  redirectHostOf,
  redirectHostsOf,
  redirectUriFault,
} from './redirect-uri.js';

const LOOPBACK = [
  'http://localhost/cb',
  'http://localhost:3000/cb',
  'http://LOCALHOST/cb',
  'http://localhost',
  'http://localhost?a=b',
  'http://127.0.0.1/cb',
  'http://127.0.0.1:0/cb',
  'http://127.8.9.255:49152/cb?a=b',
  'http://[::1]/cb',
  'http://[::1]:5000',
];
const HTTPS = [
  'https://app.example/cb',
  'https://localhost/cb',
  'https://app.example:8443/?x=1',
  'https://APP_1.example/cb',
  'https://[2001:db8::1]/cb',
  'https://app.example/cb?to=https://ann@b.example/',
  `https://app.example/${'a'.repeat(2028)}`,
  `https://${'a.'.repeat(123)}example/cb`,
];
const PRIVATE_USE = ['cursor://anysphere/cb', 'com.example.app:/cb', 'urn:ietf:wg:oauth:2.0:oob'];

describe('redirect URI', () => {
  it.each([...LOOPBACK, ...HTTPS, ...PRIVATE_USE])('may be registered as %s', (uri) => {
    expect(redirectUriFault(uri)).toBeUndefined();
  });

  it.each([
    ['nothing', ''],
    ['a path', '/cb'],
    ['javascript:', 'javascript:alert(1)'],
    ['JavaScript: with an authority', 'JavaScript://app.example/%0aalert(1)'],
    ['data:', 'data:text/html,hi'],
    ['vbscript:', 'vbscript:x'],
    ['blob:', 'blob:https://app.example/1'],
    ['file:', 'file:///etc/passwd'],
    ['about:', 'about:blank'],
    ['view-source:', 'view-source:https://app.example'],
    ['intent:', 'intent://app#Intent'],
    ['wss:', 'wss://app.example'],
    ['content:', 'content://app/cb'],
    ['devtools:', 'devtools://devtools/cb'],
    ['remote http', 'http://app.example/cb'],
    ['remote http with loopback in its path', 'http://app.example/http://localhost/cb'],
    ['http on an unspecified address', 'http://0.0.0.0/cb'],
    ['http on a shorthand address', 'http://127.1/cb'],
    ['http on a decimal address', 'http://2130706433/cb'],
    ['http on a name that begins like loopback', 'http://127.0.0.1.app.example/cb'],
    ['http on a name that begins with localhost', 'http://localhost.app.example/cb'],
    ['http on a name that ends in localhost', 'http://app.localhost/cb'],
    ['http on an impossible address', 'http://127.0.0.999/cb'],
    ['http with a long IPv6 address', 'http://[0:0:0:0:0:0:0:1]/cb'],
    ['http with an empty port', 'http://localhost:/cb'],
    ['http without slashes', 'http:localhost/cb'],
    ['a port too large', 'http://localhost:65536/cb'],
    ['https without slashes', 'https:app.example/cb'],
    ['https without slashes but in its path', 'https:app.example/https://b.example'],
    ['https with three slashes', 'https:///app.example/cb'],
    ['https without a host', 'https://'],
    ['a fragment', 'https://app.example/cb#x'],
    ['an empty fragment', 'https://app.example/cb#'],
    ['a user', 'https://ann@app.example/cb'],
    ['an empty user', 'https://@app.example/cb'],
    ['loopback as a user', 'http://127.0.0.1@app.example/cb'],
    ['loopback as a user and password', 'http://localhost:80@app.example/cb'],
    ['a user of a private scheme', 'cursor://ann@app/cb'],
    ['a backslash', 'http://localhost\\@app.example/cb'],
    ['a space', 'https://app.example/c b'],
    ['a line break', 'https://app.example/cb\r\nX: y'],
    ['a leading tab', '\tjavascript:alert(1)'],
    ['letters beyond ASCII', 'https://app.example/\u00fc'],
    ['a host that ends in a dot', 'https://app.example./cb'],
    ['a host that begins with a dot', 'https://.app.example/cb'],
    ['a host with an empty label', 'https://app..example/cb'],
    ...[...`!'*~;,$=`].map((character) => [
      `a host with ${character}`,
      `https://a${character}b.example/cb`,
    ]),
    ['a host with an encoded comma', 'https://a%2cb.example/cb'],
    ['a host of 254 characters', `https://${'a.'.repeat(123)}aexample/cb`],
    ['2049 characters', `https://app.example/${'a'.repeat(2029)}`],
  ])('may not be registered with %s', (_what, uri) => {
    expect(redirectUriFault(uri)).toMatch(/^must /);
  });

  it.each([...LOOPBACK, ...HTTPS])('may be used as %s', (uri) => {
    expect(isUsableRedirect(uri, [])).toBe(true);
  });

  it('may use a private scheme that is allowed, and no other', () => {
    expect(PRIVATE_USE.map((uri) => isUsableRedirect(uri, []))).toEqual([false, false, false]);
    const allowed = ['cursor', 'com.example.app'];
    expect(PRIVATE_USE.map((uri) => isUsableRedirect(uri, allowed))).toEqual([true, true, false]);
    expect(isUsableRedirect('Cursor://anysphere/cb', allowed)).toBe(true);
    expect(isUsableRedirect('javascript:alert(1)', ['javascript'])).toBe(false);
    expect(isUsableRedirect('http://app.example/cb', ['http'])).toBe(false);
  });

  it('lacks nothing but an allowed scheme when it is private-use and not listed', () => {
    const lacking = (schemes: string[]) =>
      PRIVATE_USE.map((uri) => lacksAllowedScheme(uri, schemes));
    expect(lacking([])).toEqual([true, true, true]);
    expect(lacking(['cursor', 'urn'])).toEqual([false, true, false]);
    for (const uri of [...LOOPBACK, ...HTTPS, 'javascript:alert(1)', 'cursor://app/cb#x']) {
      expect(lacksAllowedScheme(uri, [])).toBe(false);
    }
  });

  it.each([
    ['https://app.example/cb', 'https://app.example/cb'],
    ['cursor://anysphere/cb', 'cursor://anysphere/cb'],
    ['http://127.0.0.1:49152/cb', 'http://127.0.0.1/cb'],
    ['http://127.0.0.1/cb', 'http://127.0.0.1:8080/cb'],
    ['http://127.9.9.9:1/cb?a=b', 'http://127.9.9.9:2/cb?a=b'],
    ['http://localhost:3000/cb', 'http://localhost:8080/cb'],
    ['http://[::1]:3000/cb', 'http://[::1]/cb'],
    ['http://localhost:3000', 'http://localhost'],
  ])('%s matches %s', (requested, registered) => {
    expect(matchesRegistered(requested, ['https://other.example/', registered])).toBe(true);
  });

  it.each([
    ['another port of a remote host', 'https://app.example:8443/cb', 'https://app.example/cb'],
    ['another port of http on a remote host', 'http://app.example:1/cb', 'http://app.example/cb'],
    ['another port of https on loopback', 'https://localhost:2/cb', 'https://localhost:1/cb'],
    ['another name of loopback', 'http://127.0.0.1/cb', 'http://localhost/cb'],
    ['another address of loopback', 'http://127.0.0.2/cb', 'http://127.0.0.1/cb'],
    ['another spelling of the host', 'http://LOCALHOST:1/cb', 'http://localhost/cb'],
    ['another scheme', 'https://localhost/cb', 'http://localhost/cb'],
    ['another path', 'http://localhost:1/cb/', 'http://localhost/cb'],
    ['a path with dots', 'http://localhost:1/x/../cb', 'http://localhost/cb'],
    ['another query', 'http://localhost:1/cb?a=b', 'http://localhost/cb'],
    ['two slashes', 'http://localhost:1//', 'http://localhost/'],
    ['no path of another scheme', 'https://app.example', 'https://app.example/'],
    ['an impossible port', 'http://localhost:99999/cb', 'http://localhost/cb'],
    ['a fragment', 'http://localhost:1/cb#', 'http://localhost/cb#'],
    ['a user', 'http://localhost:1@app.example/cb', 'http://localhost/cb'],
    ['a suffix', 'https://app.example/cb/more', 'https://app.example/cb'],
    ['another case', 'https://app.example/CB', 'https://app.example/cb'],
  ])('does not match %s', (_what, requested, registered) => {
    expect(matchesRegistered(requested, [registered])).toBe(false);
  });

  it.each([
    ['https://app.example/cb', 'https://app.example/cb'],
    ['http://localhost:1', 'http://localhost:1/'],
    ['http://localhost', 'http://localhost/'],
    ['http://127.0.0.1:1?a=b', 'http://127.0.0.1:1/?a=b'],
    ['http://[::1]:1', 'http://[::1]:1/'],
  ])('%s is exchanged as %s, and the other way round', (requested, exchanged) => {
    expect(isSameRedirect(requested, exchanged)).toBe(true);
    expect(isSameRedirect(exchanged, requested)).toBe(true);
  });

  it.each([
    ['another port', 'http://localhost:1/cb', 'http://localhost:2/cb'],
    ['a port', 'http://localhost', 'http://localhost:80'],
    ['a slash after a path', 'http://localhost/cb', 'http://localhost/cb/'],
    ['a second slash', 'http://localhost/', 'http://localhost//'],
    ['a slash after a query', 'http://localhost?a=b', 'http://localhost?a=b/'],
    ['a query', 'http://localhost/', 'http://localhost/?a=b'],
    ['the path of another scheme', 'https://app.example', 'https://app.example/'],
    ['another host', 'http://localhost/cb', 'http://127.0.0.1/cb'],
  ])('is not exchanged with %s', (_what, requested, exchanged) => {
    expect(isSameRedirect(requested, exchanged)).toBe(false);
  });
});

describe('the host of a redirect URI', () => {
  it.each([
    ['EVIL.example', 'evil.example'],
    ['evil.example.', 'evil.example'],
    ['127.0.0.1', '127.0.0.1'],
    ['[::1]', '[::1]'],
  ])('%s is %s', (text, host) => {
    expect(normalRedirectHost(text)).toBe(host);
    expect(redirectHostOf(`https://${text}/cb`)).toBe(host);
  });

  it.each([
    '',
    'evil.example:443',
    'evil.example:',
    '[::1]:443',
    'evil.example/x',
    'a b',
    'user@evil.example',
    'https://x',
    '::1',
  ])('"%s" is none', (text) => {
    expect(normalRedirectHost(text)).toBeUndefined();
  });

  it('is the name in a scheme of its own, and null without one', () => {
    expect(redirectHostOf('cursor://Any.Host/x')).toBe('any.host');
    expect(redirectHostOf('com.example.app:/cb')).toBeNull();
  });

  it('is named once for all redirect URIs of a client that have it', () => {
    const uris = [
      'https://a.example/1',
      'com.example.app:/cb',
      'https://A.example/2',
      'http://[::1]',
    ];
    expect(redirectHostsOf(uris)).toEqual(['a.example', '[::1]']);
    expect(redirectHostsOf()).toEqual([]);
  });
});
