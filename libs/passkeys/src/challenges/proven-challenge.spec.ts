import { createSecretKey, randomBytes } from 'node:crypto';
import { makeProvenChallenge, proveChallenge } from './proven-challenge.js';

const makeKey = () => createSecretKey(randomBytes(32));
const KEY = makeKey();
const AT = 1_800_000_000_000;
const login = { purpose: 'login', origin: 'https://gate.example' };
const make = () => makeProvenChallenge(KEY, AT, login);

describe('a challenge that carries its own proof', () => {
  it('is 43 characters, no two alike', () => {
    const challenges = Array.from({ length: 1000 }, () => make().toString('base64url'));
    for (const challenge of challenges) expect(challenge).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(challenges).size).toBe(1000);
  });

  it('tells when it was issued, and what for', () => {
    const proven = proveChallenge(KEY, make().toString('base64url'));
    expect(proven?.issuedAt).toBe(AT);
    expect(proven?.isFor(login)).toBe(true);
  });

  it.each([
    ['another origin', { ...login, origin: 'https://other.example' }],
    ['another purpose', { ...login, purpose: 'register' }],
    ['both', { purpose: 'register', origin: 'https://other.example' }],
  ])('is not good for %s', (_what, use) => {
    expect(proveChallenge(KEY, make().toString('base64url'))?.isFor(use)).toBe(false);
  });

  it('is proven by its own key alone', () => {
    expect(proveChallenge(makeKey(), make().toString('base64url'))).toBeUndefined();
  });

  it('has no bit that may be changed', () => {
    const challenge = make();
    for (let bit = 0; bit < 256; bit += 1) {
      const changed = Buffer.from(challenge);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(proveChallenge(KEY, changed.toString('base64url'))).toBeUndefined();
    }
  });

  it('has one spelling, although the last character has two bits to spare', () => {
    const challenge = make().toString('base64url');
    const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
    const same = [...digits].map((digit) => challenge.slice(0, -1) + digit);
    const bytes = Buffer.from(challenge, 'base64url');
    expect(same.filter((other) => Buffer.from(other, 'base64url').equals(bytes))).toHaveLength(4);
    expect(same.filter((other) => proveChallenge(KEY, other))).toEqual([challenge]);
  });

  it.each(['', 'short', 'c'.repeat(43), '*'.repeat(43), 'c'.repeat(4096)])(
    'is not "%s"',
    (text) => {
      expect(proveChallenge(KEY, text)).toBeUndefined();
    },
  );
});
