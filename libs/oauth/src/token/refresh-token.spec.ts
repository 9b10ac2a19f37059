import { familyOf, isGood, successorOf, type Uses } from './refresh-token.js';

const MINUTE_MS = 60 * 1000;

const UNUSED: Uses = {
  isUsed: false,
  isLaterUsed: false,
  sinceFirstUseMs: undefined,
  sinceArrivalMs: undefined,
};

describe('a refresh token', () => {
  it.each<[string, Partial<Uses>]>([
    ['is unused, as all of its generation', {}],
    ['was used, and its answer may be lost', { isUsed: true, sinceFirstUseMs: 90 * MINUTE_MS }],
    ['has a sibling that was used just now', { sinceFirstUseMs: MINUTE_MS - 1 }],
    ['has a successor that arrived just now', { isUsed: true, sinceArrivalMs: MINUTE_MS - 1 }],
  ])('is good that %s', (_what, uses) => {
    expect(isGood({ ...UNUSED, ...uses })).toBe(true);
  });

  it.each<[string, Partial<Uses>]>([
    ['has a sibling that was used a minute ago', { sinceFirstUseMs: MINUTE_MS }],
    ['has a later one that was used', { isLaterUsed: true }],
    ['was used, as a later one', { isUsed: true, isLaterUsed: true, sinceFirstUseMs: 0 }],
    ['has a successor that arrived a minute ago', { isUsed: true, sinceArrivalMs: MINUTE_MS }],
  ])('is not good that %s', (_what, uses) => {
    expect(isGood({ ...UNUSED, ...uses })).toBe(false);
  });

  it('begins with the family of the token that it replaces, of which 22 characters are the family', () => {
    const first = 'abcdefghijklmnopqrstuvwxyz';
    expect(familyOf(first)).toBe('abcdefghijklmnopqrstuv');
    expect(successorOf(first, 'random')).toBe('abcdefghijklmnopqrstuvrandom');
    expect(familyOf(successorOf(first, 'random'))).toBe(familyOf(first));
  });
});
