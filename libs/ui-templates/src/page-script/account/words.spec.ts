import { germanAccountTexts } from '../../texts/account.de.js';
import { englishAccountTexts } from '../../texts/account.en.js';
import { hebrewAccountTexts } from '../../texts/account.he.js';
import { browserWords, deviceOf, timeWords } from './words.js';

const now = new Date(2026, 10, 22, 14, 5);
const ago = (seconds: number) => Math.floor(now.getTime() / 1000) - seconds;
const DAY = 24 * 3600;

describe('time in words', () => {
  const speak = (lang: string) =>
    Object.assign(globalThis, { document: { documentElement: { lang } } });

  beforeEach(() => speak('en'));
  afterAll(() => {
    Reflect.deleteProperty(globalThis, 'document');
  });

  it.each([
    [0, 'just now'],
    [59, 'just now'],
    [-30, 'just now'],
    [61, '1 minute ago'],
    [3599, '59 minutes ago'],
    [3600, 'today at 1:05 PM'],
    [14 * 3600, 'today at 12:05 AM'],
    [15 * 3600, 'yesterday at 11:05 PM'],
    [2 * DAY, 'on November 20'],
    [400 * DAY, 'on October 18, 2025'],
    [-10 * 3600, 'tomorrow at 12:05 AM'],
    [-120, 'in 2 minutes'],
  ])('%d seconds ago is %s', (seconds, words) => {
    expect(
      timeWords(ago(seconds), englishAccountTexts.page.script, now).replaceAll('\u202f', ' '),
    ).toBe(words);
  });

  it.each([
    [0, 'gerade eben', 'לפני רגע'],
    [300, 'vor 5 Minuten', 'לפני 5 דקות'],
    [3600, 'heute um 13:05', 'היום בשעה 13:05'],
    [15 * 3600, 'gestern um 23:05', 'אתמול בשעה 23:05'],
    [2 * DAY, 'am 20. November', 'ב־20 בנובמבר'],
    [400 * DAY, 'am 18. Oktober 2025', 'ב־18 באוקטובר 2025'],
  ])('%d seconds ago is %s, and %s', (seconds, inGerman, inHebrew) => {
    speak('de');
    expect(timeWords(ago(seconds), germanAccountTexts.page.script, now)).toBe(inGerman);
    speak('he');
    expect(timeWords(ago(seconds), hebrewAccountTexts.page.script, now)).toBe(inHebrew);
  });

  it('takes ISO 8601 too', () => {
    expect(timeWords(now.toISOString(), englishAccountTexts.page.script, now)).toBe('just now');
  });
});

const text = hebrewAccountTexts.page.script.browser;

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
