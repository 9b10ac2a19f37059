import { hashSecret } from './secret-hash.js';
import { generateSessionToken, isSessionToken } from './session-token.js';

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

  it('is stored as SHA-256', () => {
    expect(hashSecret('A'.repeat(43))).toBe('DwBzhbb51LfusnSGBa_hqYSgo7-j8BTQnip4TOnlzRo');
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
