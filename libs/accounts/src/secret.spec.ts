import {
  compareSecret,
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

  it('is the same however it is typed', () => {
    expect(hashReadableCode(' 7q2m–xovk ')).toBe(hashReadableCode('7Q2M-X0VK'));
    expect(hashReadableCode('7Q2M-X0VL')).not.toBe(hashReadableCode('7Q2M-X0VK'));
    for (const like of ['7Q2M-X0VL', '7Q2M-X0VI']) {
      expect(hashReadableCode(like)).toBe(hashReadableCode('7Q2M-X0V1'));
    }
  });
});
