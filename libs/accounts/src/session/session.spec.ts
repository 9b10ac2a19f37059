import { generateSessionToken, isSessionToken, notFresh, signInFirst } from './session.js';

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

describe('a refusal', () => {
  it('without a session asks to sign in', () => {
    expect(signInFirst()).toMatchObject({ status: 401, message: 'sign in first' });
  });

  it('of a session that is not fresh asks to sign in again, for programs too', () => {
    expect(notFresh()).toMatchObject({
      status: 403,
      message: 'this requires a recent sign-in; sign in with your passkey, then try again',
      reason: 'sign_in_again',
    });
  });
});
