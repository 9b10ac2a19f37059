import {
  headerValues,
  isLoopbackHostname,
  isServed,
  type OwnOrigin,
  parseOwnOrigin,
} from './own-origin.js';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

describe('own origin', () => {
  it.each([
    ['http', 'localhost:3000', 'http://localhost:3000', 'localhost'],
    ['https', 'Gate.Example', 'https://gate.example', 'gate.example'],
    ['https', 'gate.example:443', 'https://gate.example', 'gate.example'],
    ['http', 'gate.example:80', 'http://gate.example', 'gate.example'],
    ['https', 'gate.example:80', 'https://gate.example:80', 'gate.example'],
    ['http', 'gate.example:00080', 'http://gate.example', 'gate.example'],
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
    ['an IPv6 address with a leading zero', '[::01]'],
    ['an open bracket', '[::1'],
    ['percent signs', 'gate%2eexample'],
    ['more than a name can have', `${'a.'.repeat(130)}localhost`],
    ['letters beyond ASCII', 'g\u00e4te.example'],
  ])('refuses %s', (_what, host) => {
    expect(parseOwnOrigin('http', host)).toBeUndefined();
  });

  it('takes as many characters as a name with a port can have', () => {
    const host = `${'a.'.repeat(125)}localhosts`;
    expect(parseOwnOrigin('http', host)).toMatchObject({ hostname: host });
    expect(parseOwnOrigin('http', `${host}s`)).toBeUndefined();
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
    'a.127.0.0.1',
    '1127.0.0.1',
    '[::2]',
    '0.0.0.0',
  ])('is not %s', (hostname) => {
    expect(isLoopbackHostname(hostname)).toBe(false);
  });
});

const PUBLIC = ['https://gate.example', 'http://localhost:3000'];

const own = (url: string) => {
  const [scheme = '', host = ''] = url.split('://');
  return parseOwnOrigin(scheme, host) as OwnOrigin;
};

describe('origins that are served', () => {
  it.each([
    ['http://localhost:3000', true],
    ['http://localhost', true],
    ['http://app.localhost:8080', true],
    ['http://127.0.0.1:3000', true],
    ['http://127.9.9.9', true],
    ['http://[::1]:3000', true],
    ['https://localhost:3000', false],
    ['http://gate.example', false],
    ['https://gate.example', false],
    ['http://10.0.0.1', false],
  ])('without a list: %s is %s', (url, served) => {
    expect(isServed(own(url))).toBe(served);
  });

  it.each([
    ['https://gate.example', true],
    ['https://GATE.example:443', true],
    ['http://localhost:3000', true],
    ['http://gate.example', false],
    ['https://gate.example:8443', false],
    ['https://sub.gate.example', false],
    ['http://localhost:3001', false],
    ['http://127.0.0.1:3000', false],
  ])('with a list: %s is %s', (url, served) => {
    expect(isServed(own(url), PUBLIC)).toBe(served);
  });

  it('plain http beyond loopback is never served, listed or not', () => {
    expect(isServed(own('http://gate.example'), ['http://gate.example'])).toBe(false);
  });
});

describe('the values of a header', () => {
  const valuesIn = (...rawHeaders: string[]) =>
    headerValues(Object.assign(new IncomingMessage(new Socket()), { rawHeaders }), 'host');

  it.each([
    [['Host', 'a'], ['a']],
    [
      ['HOST', 'a', 'x', 'host', 'host', 'b'],
      ['a', 'b'],
    ],
    [['host', ''], ['']],
    [['hosts', 'a', 'hos', 'b', 'x', 'host'], []],
    [['Date', 'a'], []],
    [[], []],
  ])('are those of that name only: %j', (raw, values) => {
    expect(valuesIn(...raw)).toEqual(values);
  });
});
