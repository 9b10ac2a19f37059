import { generateLinkCode, generateRecoveryCode, hashRecoveryCode } from './recovery-code.js';

describe('recovery code', () => {
  it('has 24 characters of 5 random bits each, in groups to read out', () => {
    const codes = Array.from({ length: 2000 }, generateRecoveryCode);
    for (const code of codes)
      expect(code).toMatch(/^([0-9A-HJKMNP-TV-Z]{4}-){5}[0-9A-HJKMNP-TV-Z]{4}$/);
    expect(new Set(codes).size).toBe(codes.length);
    expect(new Set(codes.join('').replaceAll('-', '')).size).toBe(32);
  });

  it('of a link has 32 characters and nothing that a fragment would escape', () => {
    expect(generateLinkCode()).toMatch(/^[0-9A-HJKMNP-TV-Z]{32}$/);
  });

  it.each([
    ['as it was shown', '7Q2M-X0VK-91TA-3HRB'],
    ['in lower case', '7q2m-x0vk-91ta-3hrb'],
    ['without dashes', '7Q2MX0VK91TA3HRB'],
    ['with spaces and line ends', ' 7Q2M X0VK\t91TA\r\n3HRB\u00a0'],
    ['with dashes of a word processor', '7Q2M–X0VK—91TA‑3HRB'],
    ['with letters in place of digits', '7Q2M-XoVK-9ITA-3HRB'],
  ])('is the same %s', (_how, typed) => {
    expect(hashRecoveryCode(typed)).toBe(hashRecoveryCode('7Q2MX0VK91TA3HRB'));
  });

  it.each(['', '7Q2MX0VK91TA3HR', '7Q2MX0VK91TA3HRBB', '7Q2M.X0VK.91TA.3HRB'])(
    'is another one: %j',
    (typed) => {
      expect(hashRecoveryCode(typed)).not.toBe(hashRecoveryCode('7Q2MX0VK91TA3HRB'));
    },
  );

  it('is kept as SHA-256 in base64url', () => {
    expect(hashRecoveryCode('7Q2M')).toMatch(/^[\w-]{43}$/);
  });
});
