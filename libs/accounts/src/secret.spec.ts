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

  it('is recognised by its hash', () => {
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
    ['with a zero-width space', '7Q2M-X0VK\u200b-91TA-3HRB\ufeff'],
    ['with a soft hyphen and marks of direction', '\u202a7Q2M-X0VK-\u00ad91TA-3HRB\u202c'],
    ['in full-width digits and letters', '７Ｑ２Ｍ－Ｘ０ＶＫ－９１ＴＡ－３ＨＲＢ'],
    ['in mathematical letters', '7\u{1d410}2M-X0VK-91TA-3HRB'],
    ['in quotes', '“7Q2M-X0VK-91TA-3HRB”'],
    ['in backticks', '`7Q2M-X0VK-91TA-3HRB`'],
    ['with a full stop behind it', '7Q2M-X0VK-91TA-3HRB.'],
    ['with dots and slashes in place of dashes', '7Q2M.X0VK/91TA\\3HRB'],
    ['as an item of a list', '• 7Q2M-X0VK-91TA-3HRB;'],
    ['with a U, which no code has', '7Q2M-X0VK-91TA-3HRBU'],
  ])('is the same %s', (_how, typed) => {
    expect(hashReadableCode(typed)).toBe(hashReadableCode('7Q2MX0VK91TA3HRB'));
  });

  it.each([
    ['nothing', ''],
    ['one character less', '7Q2MX0VK91TA3HR'],
    ['one character more', '7Q2MX0VK91TA3HRBB'],
    ['words before it', 'Code: 7Q2M-X0VK-91TA-3HRB'],
    ['a letter of another script in its place', '7Q2M-\u04250VK-91TA-3HRB'],
    ['a letter with an accent, which NFKC keeps', '7Q2M-X0VK-91T\u00c4-3HRB'],
    ['too much around it', `7Q2M-X0VK-91TA-3HRB${' '.repeat(300)}`],
  ])('is another one: %s', (_what, typed) => {
    expect(hashReadableCode(typed)).not.toBe(hashReadableCode('7Q2MX0VK91TA3HRB'));
  });

  it('is read of 256 characters at most, and nothing of longer texts', () => {
    const typed = '7Q2M'.padEnd(256);
    expect(hashReadableCode(typed)).toBe(hashReadableCode('7Q2M'));
    expect(hashReadableCode(`${typed} `)).toBe(hashReadableCode(''));
  });

  it('of two that are made, none is read as the other', () => {
    const codes = Array.from({ length: 500 }, () => generateReadableCode(3));
    expect(new Set(codes.map(hashReadableCode)).size).toBe(new Set(codes).size);
  });

  it('is kept as SHA-256 in base64url', () => {
    expect(hashReadableCode('7Q2M')).toMatch(/^[\w-]{43}$/);
  });
});
