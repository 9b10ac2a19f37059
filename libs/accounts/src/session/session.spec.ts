import { generateSessionToken, isSessionToken } from './session.js';

describe('session token', () => {
  it('is 32 bytes as base64url', () => {
    const token = generateSessionToken();
    expect(Buffer.from(token, 'base64url')).toHaveLength(32);
    expect(isSessionToken(token)).toBe(true);
  });

  it('never comes twice', () => {
    const tokens = Array.from({ length: 1_000 }, generateSessionToken);
    expect(new Set(tokens).size).toBe(tokens.length);
  });

  it.each([
    ['nothing', ''],
    ['a character less', 'A'.repeat(42)],
    ['a character more', 'A'.repeat(44)],
    ['standard base64', '+'.repeat(43)],
    ['a line break at the end', `${'A'.repeat(43)}\n`],
    ['quotes', `"${'A'.repeat(41)}"`],
  ])('refuses %s', (_what, value) => {
    expect(isSessionToken(value)).toBe(false);
  });
});
