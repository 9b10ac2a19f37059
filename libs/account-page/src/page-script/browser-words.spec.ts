import { hebrew } from '../texts/hebrew.js';
import { browserWords } from './browser-words.js';

const text = hebrew.page.script.browser;

describe('a browser in words', () => {
  it.each([
    ['Firefox on Windows', 'Firefox ב־Windows'],
    ['Samsung Internet on Android', 'Samsung Internet ב־Android'],
    ['Firefox', 'Firefox'],
  ])('%s', (name, words) => {
    expect(browserWords(name, text)).toBe(words);
  });
});
