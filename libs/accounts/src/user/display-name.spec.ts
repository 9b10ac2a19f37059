import { displayNameFault, parseDisplayName } from './display-name.js';

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

  it('normalises at most 400 bytes', () => {
    const marks = '\u0323\u0307'.repeat(100);
    const normalize = jest.spyOn(String.prototype, 'normalize');
    expect(parseDisplayName(`a${marks}`)).toBeUndefined();
    expect(normalize).not.toHaveBeenCalled();
    expect(parseDisplayName(marks)).toBeUndefined();
    expect(normalize).toHaveBeenCalledTimes(1);
    normalize.mockRestore();
  });
});

describe('the fault of a display name', () => {
  it.each([
    ['no text', 7, 'has to be a text of 1 to 40 characters'],
    ['nothing', undefined, 'has to be a text of 1 to 40 characters'],
    ['empty', '', 'is empty; enter 1 to 40 characters'],
    ['white space alone', ' \t\ufeff', 'is empty; enter 1 to 40 characters'],
    ['too long', 'a'.repeat(41), 'is too long; enter 1 to 40 characters'],
    ['an invisible one alone', '\u200b', /invisible character, U\+200B \(.*\), at position 1;/],
    ['in the middle', 'Your\u200bname', /U\+200B \(zero width space\), at position 5; delete it/],
    ['counted as typed', '  \u00a0Ann\u202e', /invisible character, U\+202E, at position 7;/],
    ['after white space that goes', 'A\t\ufeff B\u200e', /left-to-right mark\), at position 6;/],
    ['a soft hyphen', 'a\u00adb', 'U+00AD (soft hyphen)'],
    ['a non-joiner', 'a\u200cb', 'U+200C (zero width non-joiner)'],
    ['a right-to-left mark', 'a\u200fb', 'U+200F (right-to-left mark)'],
    ['a word joiner', 'a\u2060b', 'U+2060 (word joiner)'],
    ['after a character of two units', '\u{1f600}\u200b', /at position 2;/],
    ['in a combined emoji', '\u{1f469}\u200d\u{1f467}', /joiner, as in combined emoji\), at pos/],
    ['beyond the first plane', 'a\u{e0001}', /invisible character, U\+E0001, at position 2;/],
    ['a control character', 'An\u0007n', /a control character, U\+0007, at position 3;/],
    ['half of a character', 'An\ud800n', /an incomplete character, U\+D800, at position 3;/],
    ['invisible and too long', `${'a'.repeat(41)}\u200b`, /U\+200B .*at position 42;/],
  ])('%s', (_fault, given, said) => {
    expect(parseDisplayName(given)).toBeUndefined();
    expect(displayNameFault(given)).toMatch(said);
  });

  it('repeats nothing of what was sent', () => {
    for (const given of ['<b>\u200b', '\u202e', '\ud800', 'x'.repeat(50)]) {
      expect(displayNameFault(given)).toMatch(/^[a-z][\w ,;()+-]+$/);
      expect(displayNameFault(given)).not.toMatch(/<b>|xx/);
    }
  });

  it('is found wherever a character of the faulty kinds stands', () => {
    for (const character of [
      '\u0000',
      '\u001f',
      '\u007f',
      '\u0085',
      '\u00ad',
      '\u0600',
      '\u2064',
    ]) {
      expect(parseDisplayName(`a${character}`)).toBeUndefined();
      expect(displayNameFault(`a${character}`)).toMatch(/at position 2;/);
    }
  });
});
