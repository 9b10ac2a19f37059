import {
  Catalogue,
  counted,
  type Counted,
  mismatch,
  type SomeOf,
  type TextsIn,
} from './catalogue.js';
import { expectTexts, textFor, TextsError } from './locale.js';

const template = {
  greeting: 'Hello {name}',
  part: { days: counted({ one: '1 day', other: '{n} days' }), end: 'The end' },
  open: {},
};
const whole = {
  greeting: 'Hallo {name}',
  part: { days: { one: 'ein Tag', two: 'zwei Tage', other: '{n} Tage' }, end: 'Ende' },
  open: { 'any key': 'any text' },
};
const part = (changes: object) => ({ ...whole, part: { ...whole.part, ...changes } });

describe('mismatch', () => {
  it('has nothing to say of texts that fit', () => {
    expect(mismatch(whole, template)).toBeUndefined();
    expect(mismatch({ part: { end: 'Schluss' } }, template)).toBeUndefined();
    expect(mismatch({}, template)).toBeUndefined();
  });

  it.each<[string, unknown]>([
    ['nope is no text of the pages', { ...whole, nope: 'x' }],
    ['part.nope is no text of the pages', part({ nope: 'x' })],
    ['constructor is no text of the pages', { ...whole, constructor: 'x' }],
    ['__proto__ is no text of the pages', JSON.parse('{"__proto__": "x"}')],
    ['greeting has to be a text', { ...whole, greeting: { name: 'x' } }],
    ['greeting has to be a text', { ...whole, greeting: () => 'x' }],
    ['part has to be a record', { ...whole, part: 'x' }],
    ['part has to be a record', { ...whole, part: null }],
    ['greeting lacks {name}', { ...whole, greeting: 'Hallo' }],
    [
      'greeting has {title}, which nothing is filled in for',
      { ...whole, greeting: '{title} {name}' },
    ],
    ['part.days takes texts by plural category, "other" among them', part({ days: { one: 'x' } })],
    ['part.days has to be a record', part({ days: 'x' })],
    ['part.days.other lacks {n}', part({ days: { other: 'viele' } })],
    [
      'part.days.one has {x}, which nothing is filled in for',
      part({ days: { one: '{x}', other: '{n}' } }),
    ],
    ['part.days.few has to be a text', part({ days: { few: 3, other: '{n}' } })],
    ['open.key has to be a text', { ...whole, open: { key: 3 } }],
    [' has to be a record', 'x'],
  ])('%s', (fault, texts) => {
    expect(mismatch(texts, template)).toBe(fault);
  });
});

interface Words {
  readonly yes: string;
  readonly more: { readonly no: string };
}
const words = (yes: string, no: string): Words => ({ yes, more: { no } });
const catalogue = (
  changes: readonly TextsIn<SomeOf<Words> | undefined>[] = [],
  offered?: readonly string[],
) =>
  new Catalogue<Words>({
    name: 'answers',
    builtIn: [
      { locale: 'en', texts: words('yes', 'no') },
      { locale: 'de', texts: words('ja', 'nein') },
      { locale: 'he', texts: words('כן', 'לא') },
    ],
    changes,
    offered,
  });

describe('catalogue', () => {
  it.each([
    [['de'], 'de'],
    [['de-CH-1996'], 'de'],
    [['DE'], 'de'],
    [['fr', 'he-IL'], 'he'],
    [['de-x-private'], 'de'],
    [['deu', 'd', ''], 'en'],
    [['__proto__', 'constructor', 'hasOwnProperty'], 'en'],
    [[], 'en'],
  ])('who wants %j gets %s', (wanted, tag) => {
    expect(catalogue().choose(wanted).tag).toBe(tag);
  });

  it('knows which way a language is written', () => {
    const { languages } = catalogue([{ locale: 'ur', texts: words('1', '2') }]);
    expect(languages.map(({ direction }) => direction)).toEqual(['ltr', 'ltr', 'rtl', 'rtl']);
  });

  it('offers what is configured, the first one to readers of other languages', () => {
    const german = catalogue([], ['de', 'HE']);
    expect(german.languages.map(({ tag }) => tag)).toEqual(['de', 'he']);
    expect(german.choose(['en']).texts.yes).toBe('ja');
  });

  it('has a text of a team’s in place of one, and the others as they were', () => {
    const changed = catalogue([
      { locale: 'de', texts: { more: { no: 'nö' } } },
      { locale: 'de', texts: { more: { no: 'nee' }, yes: undefined } },
      { locale: 'de', texts: undefined },
    ]);
    expect(changed.choose(['de']).texts).toEqual(words('ja', 'nee'));
    expect(catalogue().choose(['de']).texts).toEqual(words('ja', 'nein'));
  });

  it('has a language of a team’s, and what another catalogue chose', () => {
    const changed = catalogue([{ locale: 'PT-br', texts: words('sim', 'não') }]);
    expect(changed.languages.map(({ tag }) => tag)).toEqual(['en', 'de', 'he', 'pt-BR']);
    const pages = catalogue([{ locale: 'pt-BR', texts: words('s', 'n') }]);
    expect(pages.in({ tag: 'pt-BR', direction: 'ltr' }).yes).toBe('s');
    expect(pages.in({ tag: 'fr', direction: 'ltr' }).yes).toBe('yes');
  });

  it('has English in place of what a language of a team’s lacks, and tells of it', () => {
    const changed = catalogue([
      { locale: 'fr', texts: { yes: 'oui', more: {} } },
      { locale: 'pl', texts: undefined },
      { locale: 'en', texts: { more: { no: 'nope' } } },
      { locale: 'fr', texts: {} },
    ]);
    expect(changed.choose(['fr']).texts).toEqual(words('oui', 'nope'));
    expect(changed.choose(['pl']).texts).toEqual(words('yes', 'nope'));
    expect([...changed.lacking]).toEqual([
      ['fr', ['more.no']],
      ['pl', ['yes', 'more']],
    ]);
    const offered = catalogue([{ locale: 'fr', texts: undefined }], ['de']);
    expect([...offered.lacking]).toEqual([]);
  });

  it('does not mix the forms of a number', () => {
    const days = new Catalogue<{ days: Counted }>({
      name: 'days',
      builtIn: [{ locale: 'en', texts: { days: { one: '1 day', other: '{n} days' } } }],
      changes: [
        { locale: 'ja', texts: { days: { other: '{n}日' } } },
        { locale: 'en', texts: { days: { other: '{n} d' } } },
      ],
    });
    expect(days.choose(['ja']).texts.days).toEqual({ other: '{n}日' });
    expect(days.choose(['en']).texts.days).toEqual({ other: '{n} d' });
    expect([...days.lacking]).toEqual([]);
  });

  it.each<[string, () => unknown]>([
    [
      'texts of answers in de: yess is no text of the pages',
      () => catalogue([{ locale: 'de', texts: { yess: 'ja' } as SomeOf<Words> }]),
    ],
    [
      'there are no texts of answers in fr; there are some in en, de, he',
      () => catalogue([], ['de', 'fr']),
    ],
    ['"x" is no BCP 47 tag', () => catalogue([{ locale: 'x', texts: {} }])],
    ['"constructor" is no BCP 47 tag', () => catalogue([], ['constructor'])],
    ['"__proto__" is no BCP 47 tag', () => catalogue([], ['__proto__'])],
    ['no language is offered for answers', () => catalogue([], [])],
  ])('%s', (message, make) => {
    expect(make).toThrow(new TextsError(message));
  });
});

describe('a text in some languages', () => {
  it('is looked up in the same way, whatever its tags look like', () => {
    const texts = { de: 'ja', 'pt-BR': 'sim' };
    expect(textFor('de-AT', texts)).toBe('ja');
    expect(textFor('pt-BR', texts)).toBe('sim');
    expect(textFor('pt', texts)).toBeUndefined();
    expect(textFor('de', undefined)).toBeUndefined();
    expect(textFor('constructor', texts)).toBeUndefined();
    expect(textFor('he', { iw: 'כן' })).toBe('כן');
    expect(textFor('he', { iw_IL: 'כן' })).toBeUndefined();
  });

  it('has tags, and words', () => {
    expect(() => expectTexts('a scope', { de: 'ja', 'pt-br': 'sim' })).not.toThrow();
    expect(() => expectTexts('a scope', undefined)).not.toThrow();
    expect(() => expectTexts('a scope', { de_DE: 'ja' })).toThrow(
      new TextsError('a scope: "de_DE" is no BCP 47 tag'),
    );
    for (const none of [' ', 5, null] as readonly unknown[] as readonly string[]) {
      expect(() => expectTexts('a scope', { en: 'yes', de: none })).toThrow(
        new TextsError('a scope: there is none in "de"'),
      );
    }
  });
});
