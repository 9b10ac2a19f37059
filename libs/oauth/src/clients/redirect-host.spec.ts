import { normalRedirectHost, redirectHostOf } from './redirect-uri.js';

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
});
