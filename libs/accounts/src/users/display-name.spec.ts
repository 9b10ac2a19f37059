import { parseDisplayName } from './display-name.js';

/** One code point of NFC in its longest decomposition: four. */
const APART = '\u03b1\u0313\u0300\u0345';

describe('display name', () => {
  it.each([
    ['kept as it is', 'Ann', 'Ann'],
    ['trimmed', '  Ann\n', 'Ann'],
    ['runs of white space become one space', 'Ann \t\u00a0\n B', 'Ann B'],
    ['normalised to NFC', 'e\u0301', '\u00e9'],
    ['forty code points, not UTF-16 units', '\u{1f600}'.repeat(40), '\u{1f600}'.repeat(40)],
    ['counted after normalising', 'e\u0301'.repeat(40), '\u00e9'.repeat(40)],
    ['counted after trimming', ` ${'a'.repeat(40)} `, 'a'.repeat(40)],
    ['measured after trimming', `${' '.repeat(8000)}Ann`, 'Ann'],
    ['measured after collapsing', `Ann${' \t'.repeat(4000)}B`, 'Ann B'],
    ['of the most bytes that it can be, 360', '\u1112\u1161\u11ab'.repeat(40), '\ud55c'.repeat(40)],
    ['of four marks each, taken apart', APART.repeat(40), APART.normalize('NFC').repeat(40)],
    ['a leading byte order mark is white space', '\ufeffAnn', 'Ann'],
  ])('%s', (_rule, given, stored) => {
    expect(parseDisplayName(given)).toBe(stored);
  });

  it.each([
    ['empty', ''],
    ['empty after trimming', ' \t\n'],
    ['forty-one code points', 'a'.repeat(41)],
    ['a control character', 'An\u0000n'],
    ['a C1 control character', 'An\u0085n'],
    ['a zero-width joiner', 'An\u200dn'],
    ['a right-to-left override', 'An\u202en'],
    ['a soft hyphen', 'An\u00adn'],
    ['a lone surrogate', 'An\ud800n'],
    ['a number', 7],
    ['null', null],
    ['nothing', undefined],
    ['an array', ['Ann']],
    ['an object', { toString: () => 'Ann' }],
  ])('refuses %s', (_rule, given) => {
    expect(parseDisplayName(given)).toBeUndefined();
  });

  it('normalises no more than 400 bytes', () => {
    const marks = '\u0323\u0307'.repeat(100);
    const normalize = jest.spyOn(String.prototype, 'normalize');
    expect(parseDisplayName(`a${marks}`)).toBeUndefined();
    expect(normalize).not.toHaveBeenCalled();
    expect(parseDisplayName(marks)).toBeUndefined();
    expect(normalize).toHaveBeenCalledTimes(1);
    normalize.mockRestore();
  });
});
