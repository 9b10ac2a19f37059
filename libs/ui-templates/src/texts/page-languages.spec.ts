import { builtInPageLanguages } from './page-languages.js';

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
    ['de', /["\u201d]|\.\.\.|\S…|\bdu\b|\bdein/i],
    ['he', /["“”]|\.\.\./],
  ])('%s is written as it is there', (tag, faults) => {
    for (const text of textsIn(inLanguage(tag))) expect(text).not.toMatch(faults);
  });
});
