import { isLoopbackHostname } from './loopback.js';
import { parseOwnOrigin } from './own-origin.js';

describe('own origin', () => {
  it.each([
    ['http', 'localhost:3000', 'http://localhost:3000', 'localhost'],
    ['https', 'Gate.Example', 'https://gate.example', 'gate.example'],
    ['https', 'gate.example:443', 'https://gate.example', 'gate.example'],
    ['http', 'gate.example:80', 'http://gate.example', 'gate.example'],
    ['https', 'gate.example:80', 'https://gate.example:80', 'gate.example'],
    ['http', '[::1]:3000', 'http://[::1]:3000', '[::1]'],
    ['http', '127.0.0.1', 'http://127.0.0.1', '127.0.0.1'],
  ])('%s and %s are %s', (scheme, host, origin, hostname) => {
    expect(parseOwnOrigin(scheme, host)).toEqual({ origin, hostname, secure: scheme === 'https' });
  });

  it.each([
    ['nothing', ''],
    ['credentials', 'a.test:80@b.test'],
    ['a path', 'gate.example/x'],
    ['a query', 'gate.example?x'],
    ['a comma', 'gate.example,evil.example'],
    ['a space', 'gate example'],
    ['a backslash', 'gate.example\\@evil'],
    ['a port too large', 'gate.example:65536'],
    ['a port that is no number', 'gate.example:http'],
    ['an empty port', 'gate.example:'],
    ['a shorthand address', '127.1'],
    ['a hexadecimal address', '0x7f.0.0.1'],
    ['a decimal address', '2130706433'],
    ['an uncompressed IPv6 address', '[0:0:0:0:0:0:0:1]'],
    ['an open bracket', '[::1'],
    ['percent signs', 'gate%2eexample'],
    ['more than a name can have', `${'a.'.repeat(130)}localhost`],
    ['letters beyond ASCII', 'g\u00e4te.example'],
  ])('refuses %s', (_what, host) => {
    expect(parseOwnOrigin('http', host)).toBeUndefined();
  });

  it.each(['ftp', 'HTTPS', 'https:', 'ws', ''])('refuses the scheme "%s"', (scheme) => {
    expect(parseOwnOrigin(scheme, 'localhost')).toBeUndefined();
  });
});

describe('loopback', () => {
  it.each(['localhost', 'a.localhost', '127.0.0.1', '127.255.1.2', '[::1]'])(
    'is %s',
    (hostname) => {
      expect(isLoopbackHostname(hostname)).toBe(true);
    },
  );

  it.each([
    'localhost.',
    'localhost.example',
    'notlocalhost',
    '128.0.0.1',
    '127.0.0.1.example',
    '[::2]',
    '0.0.0.0',
  ])('is not %s', (hostname) => {
    expect(isLoopbackHostname(hostname)).toBe(false);
  });
});
