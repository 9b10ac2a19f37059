import { isExpression } from './expressions.js';

const native = (pattern: string) => {
  try {
    return Boolean(new RegExp(pattern, 'u'));
  } catch {
    return false;
  }
};

describe('isExpression', () => {
  it.each([
    String.raw`\p{L}+\P{Lu}`,
    String.raw`[\p{Script=Greek}-]`,
    String.raw`[\p{L}-z]`,
    String.raw`[a-\w]`,
    String.raw`\p{Nothing}`,
    String.raw`\p{L`,
    String.raw`\pL`,
    String.raw`\\p{L}`,
    String.raw`\\p{2}`,
    String.raw`\\\p{2}`,
    String.raw`\\\p{L}`,
    String.raw`\k<a>(?<a>\w)`,
    String.raw`\k<b>(?<a>\w)`,
    String.raw`(?<\p{L}>a)`,
    String.raw`\u{1F600}[^\S]`,
    String.raw`\q`,
    String.raw`\c`,
    '\\',
    '(',
    '(?=a)',
    '',
  ])('says of %j what the language says', (pattern) => {
    expect(isExpression(pattern)).toBe(native(pattern));
  });

  it.each([
    ['classes in a class', `[${String.raw`\p{L}`.repeat(1_500)}]`],
    ['classes', String.raw`\P{Lu}`.repeat(1_300)],
    ['short classes in a class', `(?i:[${String.raw`\w`.repeat(3_500)}])`],
  ])('is soon done with many %s', (_what, pattern) => {
    const startedAt = performance.now();
    for (let n = 0; n < 10; n += 1) expect(isExpression(pattern + n)).toBe(true);
    expect(performance.now() - startedAt).toBeLessThan(250);
  });
});
