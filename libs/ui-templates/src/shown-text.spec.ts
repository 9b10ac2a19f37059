import { html } from './html.js';
import { hasUnseen, shownText } from './shown-text.js';

const shown = (text: string) => String(html`${shownText(text)}`);

describe('a text of others, as people are shown it', () => {
  it.each([
    ['a\u202eb', 'a<mark>U+202E</mark>b'],
    ['\u2066a\u2069', '<mark>U+2066</mark>a<mark>U+2069</mark>'],
    ['a\u200fb\u200e\u061c', 'a<mark>U+200F</mark>b<mark>U+200E</mark><mark>U+061C</mark>'],
    ['\u{e0041}\u200b', '<mark>U+E0041</mark><mark>U+200B</mark>'],
    ['a\u0000\u001b', 'a<mark>U+0000</mark><mark>U+001B</mark>'],
    ['a\u2028b', 'a<mark>U+2028</mark>b'],
    ['half \ud83d', 'half <mark>U+D83D</mark>'],
    ['<b>\u202e', '&lt;b&gt;<mark>U+202E</mark>'],
    ['<mark>U+202E</mark>', '&lt;mark&gt;U+202E&lt;/mark&gt;'],
  ])('%j has marks for what is not seen', (text, markup) => {
    expect(shown(text)).toBe(markup);
  });

  it.each(['', 'two\nlines\tand more', 'שלום عليكم', 'می‌خواهم', '👩🏽‍🚀 ❤️‍🔥'])(
    '%j is as it is',
    (text) => {
      expect(shown(text)).toBe(text);
      expect(hasUnseen(text)).toBe(false);
    },
  );
});
