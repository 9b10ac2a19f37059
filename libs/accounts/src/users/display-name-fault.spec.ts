import { parseDisplayName } from './display-name.js';
import { displayNameFault } from './display-name-fault.js';

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
