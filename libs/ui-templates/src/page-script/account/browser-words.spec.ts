import { hebrew } from '../../account/texts/he.js';
import { browserWords, deviceOf } from './browser-words.js';

const text = hebrew.page.script.browser;

describe('the device of a browser', () => {
  it.each([
    ['Safari on iPhone', 'phone'],
    ['Samsung Internet on Android', 'phone'],
    ['Safari on iPad', 'tablet'],
    ['Chrome on ChromeOS', 'computer'],
    ['Firefox', 'computer'],
    [null, 'computer'],
  ])('%s: %s', (browser, kind) => {
    expect(deviceOf(browser)).toBe(kind);
  });
});

describe('a browser in words', () => {
  it.each([
    ['Firefox on Windows', 'Firefox ב־Windows'],
    ['Samsung Internet on Android', 'Samsung Internet ב־Android'],
    ['Firefox', 'Firefox'],
  ])('%s', (name, words) => {
    expect(browserWords(name, text)).toBe(words);
  });
});
