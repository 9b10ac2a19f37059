import { expectFresh, generateSessionToken, isSessionToken } from './session.js';

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

const MINUTE_MS = 60_000;
const NOW = Date.UTC(2025, 0, 1);

describe('freshness', () => {
  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  const began = (agoMs: number) => ({ createdAt: NOW - agoMs });

  it('lasts for 10 minutes from when the session began', () => {
    expect(() => expectFresh(began(10 * MINUTE_MS))).not.toThrow();
    expect(() => expectFresh(began(10 * MINUTE_MS + 1))).toThrow(
      expect.objectContaining({ status: 403, reason: 'sign_in_again' }),
    );
  });

  it('lasts for as long as is asked for', () => {
    expect(() => expectFresh(began(MINUTE_MS), MINUTE_MS)).not.toThrow();
    expect(() => expectFresh(began(MINUTE_MS + 1), MINUTE_MS)).toThrow();
  });
});
