import { wantedLocales } from './locale.js';

const accepted = (acceptLanguage: string) => [...wantedLocales({ acceptLanguage })];
const MANY = Array.from({ length: 5000 }, (_, n) => `de-x-${n}`).join(',');

describe('wanted locales', () => {
  it.each([
    ['', []],
    ['de', ['de']],
    ['de-CH, de;q=0.9, en;q=0.8', ['de-ch', 'de', 'en']],
    ['en;q=0.5,he;q=0.8,de;q=0.8', ['he', 'de', 'en']],
    ['DE-ch;Q=0.5', ['de-ch']],
    ['iw', ['he']],
    ['iw-IL', ['he-il']],
    ['ind', ['id']],
    ['zh-Hant-TW', ['zh-hant-tw']],
    [' de ; q=1.000 ', ['de']],
    ['de;q=0, en;q=0.001', ['en']],
    ['*', []],
    ['*;q=0.5, he;q=0.1', ['he']],
    ['de;q=2, en', ['en']],
    ['de;q=x, en;level=1, he', ['he']],
    ['a, -, de-, --, x-, 1234567890, de_CH, he', ['he']],
    ['__proto__, constructor, hasOwnProperty, he', ['he']],
    [', ,, he,', ['he']],
    ['<script>, "de", he', ['he']],
  ])('%s', (header, wanted) => {
    expect(accepted(header)).toEqual(wanted);
  });

  it('what the app asks for comes first', () => {
    const wishes = { uiLocales: 'fr-CA  he __proto__', acceptLanguage: 'de' };
    expect([...wantedLocales(wishes)]).toEqual(['fr-ca', 'he', 'de']);
    expect([...wantedLocales({ uiLocales: null })]).toEqual([]);
  });

  it('looks at so much of it and no more', () => {
    expect(accepted(MANY).length).toBeLessThanOrEqual(20);
    expect(accepted(`${'x'.repeat(600)}, de`)).toEqual([]);
    const uiLocales = MANY.replaceAll(',', ' ');
    expect([...wantedLocales({ uiLocales })].length).toBeLessThanOrEqual(20);
  });
});
