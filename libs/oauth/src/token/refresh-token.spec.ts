import { createSecretKey, randomBytes } from 'node:crypto';
import {
  familyOf,
  isRefreshTokenValid,
  mayHaveBeenIssued,
  newRefreshToken,
  type RefreshUsage,
} from './refresh-token.js';

const MINUTE_MS = 60 * 1000;

const UNUSED: RefreshUsage = {
  isUsed: false,
  isLaterUsed: false,
  sinceFirstUseMs: undefined,
  sinceDeliveryMs: undefined,
};

describe('a refresh token', () => {
  it.each<[string, Partial<RefreshUsage>]>([
    ['is unused, as all of its generation', {}],
    ['was used, and its answer may be lost', { isUsed: true, sinceFirstUseMs: 90 * MINUTE_MS }],
    ['has a sibling that was used just now', { sinceFirstUseMs: MINUTE_MS - 1 }],
    [
      'has a successor that was delivered just now',
      { isUsed: true, sinceDeliveryMs: MINUTE_MS - 1 },
    ],
  ])('is valid that %s', (_what, usage) => {
    expect(isRefreshTokenValid({ ...UNUSED, ...usage })).toBe(true);
  });

  it.each<[string, Partial<RefreshUsage>]>([
    ['has a sibling that was used a minute ago', { sinceFirstUseMs: MINUTE_MS }],
    ['has a later one that was used', { isLaterUsed: true }],
    ['was used, as a later one', { isUsed: true, isLaterUsed: true, sinceFirstUseMs: 0 }],
    [
      'has a successor that was delivered a minute ago',
      { isUsed: true, sinceDeliveryMs: MINUTE_MS },
    ],
  ])('is not valid that %s', (_what, usage) => {
    expect(isRefreshTokenValid({ ...UNUSED, ...usage })).toBe(false);
  });

  const key = createSecretKey(randomBytes(32));
  const random = () => randomBytes(33).toString('base64url').slice(0, 43);

  it('begins with the family of the token that it replaces, of which 22 characters are the family', () => {
    const first = newRefreshToken(key, random());
    const next = newRefreshToken(key, random(), first);
    expect(familyOf(first)).toBe(first.slice(0, 22));
    expect(familyOf(next)).toBe(familyOf(first));
    expect(next).not.toBe(first);
    expect(next).toHaveLength(first.length);
  });

  it('replaces one without an authenticator, which was the first or a later one of its family', () => {
    for (const before of [random(), random().slice(0, 22) + random()]) {
      const next = newRefreshToken(key, random(), before);
      expect(familyOf(next)).toBe(familyOf(before));
      expect([before, next].map((token) => mayHaveBeenIssued(key, token))).toEqual([true, true]);
    }
  });

  it('was issued only with the authenticator of this service', () => {
    const token = newRefreshToken(key, random());
    const other = newRefreshToken(key, random(), token);
    const forged = newRefreshToken(createSecretKey(randomBytes(32)), random(), token);
    expect([token, other].map((one) => mayHaveBeenIssued(key, one))).toEqual([true, true]);
    expect(mayHaveBeenIssued(key, forged)).toBe(false);
    expect(mayHaveBeenIssued(key, token.slice(0, 44) + other.slice(44))).toBe(false);
  });

  it('was not issued if it was cut, extended or altered anywhere', () => {
    const token = newRefreshToken(key, random());
    const cut = Array.from(token, (_, n) => {
      const [before, after] = [token.slice(0, n), token.slice(n + 1)];
      return [before, after, before + after];
    }).flat();
    const extended = ['A', '~', '\n', ' ', '=', 'é', token].map((end) => token + end);
    const altered = Array.from(token, (character, n) =>
      [character === 'A' ? 'B' : 'A', '~', '.', ' ']
        .filter((other) => other !== character)
        .map((other) => token.slice(0, n) + other + token.slice(n + 1)),
    ).flat();
    const wrong = [...cut, ...extended, ...altered, token.toLowerCase(), token.toUpperCase()];
    expect(wrong.filter((one) => mayHaveBeenIssued(key, one))).toEqual([]);
  });

  it('without an authenticator was not issued if its form is another', () => {
    const before = [random(), random().slice(0, 22) + random()];
    const wrong = before.flatMap((token) => [token.slice(1), `${token}A`, `${token.slice(1)}\n`]);
    expect(wrong.filter((one) => mayHaveBeenIssued(key, one))).toEqual([]);
  });
});
