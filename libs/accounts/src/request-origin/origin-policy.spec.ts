import { isServed } from './origin-policy.js';
import { type OwnOrigin, parseOwnOrigin } from './own-origin.js';

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
