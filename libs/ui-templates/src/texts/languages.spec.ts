import { englishAccountTexts } from './account.en.js';
import { accountLanguages, builtInAccountTexts, builtInPageLanguages } from './languages.js';

/** Straight quotes, and words that product texts do not use: they contract, and name who or what they mean. */
const STIFF_ENGLISH = /["']|\.\.\.|\b(?:\w+ not|whoever|somebody|nobody|no more|it is of)\b/i;

const inLanguage = (tag: string) => builtInPageLanguages.choose([tag]).texts;

function textsIn(value: object): string[] {
  return Object.values(value).flatMap((one: unknown) =>
    typeof one === 'string' ? [one] : textsIn(one as object),
  );
}

describe('the built-in languages', () => {
  it('are English, German and Hebrew, each in its direction', () => {
    const shown = builtInPageLanguages.languages.map(({ tag, direction }) => [tag, direction]);
    expect(shown).toEqual([
      ['en', 'ltr'],
      ['de', 'ltr'],
      ['he', 'rtl'],
    ]);
  });

  it('have what the service says in English, all of them', () => {
    const reasons = Object.keys(inLanguage('de').script.reasons);
    expect(Object.keys(inLanguage('he').script.reasons)).toEqual(reasons);
    expect(reasons.length).toBeGreaterThan(10);
  });

  it.each([
    ['en', STIFF_ENGLISH],
    ['de', /["\u201d]|\.\.\.|\S…|\bdu\b|\bdein/i],
    ['he', /["“”]|\.\.\./],
  ])('%s is written as it is there', (tag, faults) => {
    for (const text of textsIn(inLanguage(tag))) expect(text).not.toMatch(faults);
  });
});

type Texts = string | { readonly [key: string]: Texts };

const leaves = (texts: Texts, path = ''): [string, string][] =>
  typeof texts === 'string'
    ? [[path, texts]]
    : Object.entries(texts).flatMap(([key, value]) => leaves(value, `${path}.${key}`));

describe('languages of the account page', () => {
  it('are English, German and Hebrew', () => {
    const tags = builtInAccountTexts.languages.map(({ tag, direction }) => [tag, direction]);
    expect(tags).toEqual([
      ['en', 'ltr'],
      ['de', 'ltr'],
      ['he', 'rtl'],
    ]);
  });

  it.each(['de', 'he'])('%s says nothing in English', (tag) => {
    const inEnglish = new Map(leaves(englishAccountTexts));
    const same = leaves(builtInAccountTexts.choose([tag]).texts)
      .filter(([path, text]) => inEnglish.get(path) === text && /[a-z]{2}(?![^{]*\})/.test(text))
      .map(([, text]) => text);
    const ALIKE = ['Passkeys', 'Passkey', 'Name', 'recovery-codes-{host}.txt'];
    expect(ALIKE).toEqual(expect.arrayContaining(same));
  });

  it.each([
    ['en', STIFF_ENGLISH],
    ['de', /["\u201d]|\.\.\.|\S…|\b(du|dein\w*|dir|dich)\b/i],
    ['he', /["“”]|\.\.\./],
  ])('%s is written as it is there', (tag, faults) => {
    for (const [, text] of leaves(builtInAccountTexts.choose([tag]).texts)) {
      expect(text).not.toMatch(faults);
    }
  });

  it('take one sentence in place of another, and the others of a language in English', () => {
    const texts = { page: { title: 'Your place' } };
    const { page, budget } = accountLanguages({ changes: [{ locale: 'en', texts }] }).fallback
      .texts;
    expect([page.title, page.cancel, budget]).toEqual([
      'Your place',
      'Cancel',
      englishAccountTexts.budget,
    ]);
    const french = accountLanguages({ changes: [{ locale: 'fr', texts }] });
    expect(french.choose(['fr']).texts.budget).toEqual(englishAccountTexts.budget);
    expect(french.lacking.get('fr')).toEqual(
      expect.arrayContaining(['activity', 'budget', 'page.cancel']),
    );
  });
});
