import {
  compareSecret,
  generateId,
  generateReadableCode,
  hashReadableCode,
  hashSecret,
  inGroups,
} from './secret.js';

describe('a secret', () => {
  it('is stored as SHA-256', () => {
    expect(hashSecret('A'.repeat(43))).toBe('DwBzhbb51LfusnSGBa_hqYSgo7-j8BTQnip4TOnlzRo');
  });

  it('is told by its hash', () => {
    expect(compareSecret('s3cret', hashSecret('s3cret'))).toBe(true);
  });

  it.each([
    ['another secret', 's3cret2', hashSecret('s3cret')],
    ['no secret', '', hashSecret('s3cret')],
    ['the hash itself', hashSecret('s3cret'), hashSecret('s3cret')],
    ['a client without a secret', '', ''],
    ['a hash that is none', 's3cret', 's3cret'],
  ])('is not %s', (_what, presented, secretHash) => {
    expect(compareSecret(presented, secretHash)).toBe(false);
  });
});

describe('an id', () => {
  it('is 128 random bits in base64url', () => {
    const ids = Array.from({ length: 100 }, generateId);
    for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('readable code', () => {
  it('is in groups of four to read out', () => {
    expect(inGroups('7Q2MX0VK91')).toBe('7Q2M-X0VK-91');
    expect(inGroups('7Q2MX0VK')).toBe('7Q2M-X0VK');
  });

  it('has five random bits a character', () => {
    const codes = Array.from({ length: 500 }, () => generateReadableCode(20));
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{20}$/);
    expect(new Set(codes.join('')).size).toBe(32);
    expect(new Set(codes).size).toBe(codes.length);
  });

  it.each([
    ['as it was shown', '7Q2M-X0VK-91TA-3HRB'],
    ['in lower case', '7q2m-x0vk-91ta-3hrb'],
    ['without dashes', '7Q2MX0VK91TA3HRB'],
    ['with spaces and line ends', ' 7Q2M X0VK\t91TA\r\n3HRB\u00a0'],
    ['with dashes of a word processor', '7Q2M–X0VK—91TA‑3HRB'],
    ['with letters in place of digits', '7Q2M-XoVK-9ITA-3HRB'],
    ['with an L in place of 1', '7Q2M-X0VK-9lTA-3HRB'],
  ])('is the same %s', (_how, typed) => {
    expect(hashReadableCode(typed)).toBe(hashReadableCode('7Q2MX0VK91TA3HRB'));
  });

  it.each(['', '7Q2MX0VK91TA3HR', '7Q2MX0VK91TA3HRBB', '7Q2M.X0VK.91TA.3HRB'])(
    'is another one: %j',
    (typed) => {
      expect(hashReadableCode(typed)).not.toBe(hashReadableCode('7Q2MX0VK91TA3HRB'));
    },
  );

  it('is kept as SHA-256 in base64url', () => {
    expect(hashReadableCode('7Q2M')).toMatch(/^[\w-]{43}$/);
  });
});
