import {
  clientIdUrlFault,
  hostAndPort,
  isDocumentUrl,
  isPossibleDocumentUrl,
} from '../client/client.js';

describe('client identifier URL', () => {
  it.each([
    'https://app.example/client.json',
    'https://app.example/a/b/',
    'https://app.example/%7Eann/client',
    'https://app.example/a..b/.well-known/...',
    'https://xn--bcher-kva.example/client',
    'https://203.0.113.7/client',
    'https://[2001:db8::1]/client',
    `https://app.example/${'a'.repeat(492)}`,
  ])('may be %s', (id) => {
    expect(clientIdUrlFault(id)).toBeUndefined();
  });

  it.each([
    ['http', 'http://app.example/client'],
    ['an upper-case scheme', 'HTTPS://app.example/client'],
    ['an upper-case host', 'https://App.example/client'],
    ['no path', 'https://app.example'],
    ['the root path', 'https://app.example/'],
    ['a dot segment', 'https://app.example/a/./b'],
    ['a dot-dot segment', 'https://app.example/a/../b'],
    ['an encoded dot segment', 'https://app.example/a/%2e/b'],
    ['an encoded dot-dot segment', 'https://app.example/a/.%2E/b'],
    ['a trailing dot-dot segment', 'https://app.example/a/%2e%2e'],
    ['a fragment', 'https://app.example/client#a'],
    ['an empty fragment', 'https://app.example/client#'],
    ['a query', 'https://app.example/client?a=b'],
    ['an empty query', 'https://app.example/client?'],
    ['a user', 'https://ann@app.example/client'],
    ['a user and password', 'https://ann:pw@app.example/client'],
    ['an empty user', 'https://@app.example/client'],
    ['a port', 'https://app.example:8443/client'],
    ['a written default port', 'https://app.example:443/client'],
    ['an empty port', 'https://app.example:/client'],
    ['a host that ends in a dot', 'https://app.example./client'],
    ['a shorthand address', 'https://127.1/client'],
    ['a decimal address', 'https://2130706433/client'],
    ['a hexadecimal address', 'https://0x7f.0.0.1/client'],
    ['a backslash', 'https://app.example\\client'],
    ['a tab', 'https://app.exam\tple/client'],
    ['a line break', 'https://app.example/client\n'],
    ['a space', 'https://app.example/cli ent'],
    ['letters beyond ASCII', 'https://b\u00fccher.example/client'],
    ['a missing host', 'https:///client'],
    ['no URL at all', 'https://'],
    ['513 characters', `https://app.example/${'a'.repeat(493)}`],
  ])('may not have %s', (_what, id) => {
    expect(clientIdUrlFault(id)).toMatch(/./);
  });

  it('may have the port of a private host', () => {
    const privateHosts = ['localhost:8443', '[::1]:9000'];
    expect(clientIdUrlFault('https://localhost:8443/client', privateHosts)).toBeUndefined();
    expect(clientIdUrlFault('https://[::1]:9000/client', privateHosts)).toBeUndefined();
    expect(clientIdUrlFault('https://localhost:8444/client', privateHosts)).toMatch('port');
  });

  it('may have any port for who does not know the private hosts', () => {
    expect(isPossibleDocumentUrl('https://localhost:8443/client')).toBe(true);
    expect(isPossibleDocumentUrl('https://LOCALHOST:8443/client')).toBe(false);
    expect(isPossibleDocumentUrl('https://')).toBe(false);
  });

  it('is told from a registered identifier by its scheme', () => {
    expect(isDocumentUrl('https://app.example/')).toBe(true);
    expect(isDocumentUrl('http://app.example/')).toBe(false);
    expect(isDocumentUrl('aB3_-')).toBe(false);
  });

  it('names its host and port, also the default one', () => {
    expect(hostAndPort(new URL('https://app.example/client'))).toBe('app.example:443');
    expect(hostAndPort(new URL('https://[::1]:9000/client'))).toBe('[::1]:9000');
  });
});
