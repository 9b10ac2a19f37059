import * as fc from 'fast-check';
import { hiddenInSchema, withoutHidden } from './hidden-text.js';

/** Characters of which models read ASCII, and people see nothing. */
const tags = (text: string) =>
  [...text].map((each) => String.fromCodePoint(0xe0000 + (each.codePointAt(0) ?? 0))).join('');

describe('text without hidden characters', () => {
  it.each([
    'Two lines,\r\nor three:\n\tone \u2028 and \u2029 \u0085 more.',
    'Left \u200e and right \u200f.',
    // Persian, Sinhala, Hindi, Malayalam and Mongolian, with joiners.
    'می‌خواهم',
    'ශ්‍රී ලංකා',
    'क्‍ष',
    'ന്‍',
    '\u182e\u1823\u180c\u182d',
    '\u182c\u1820\u1837\u180e\u1820',
    '👩🏽‍🚀 👨‍👩‍👧 🏳️‍🌈 ❤️‍🔥 ☎︎ ☎️ 1️⃣ #️⃣',
    'שלום עולם, 漢字, naïve e\u0301',
    '\u0600\u06dd',
  ])('stays as it is: %j', (text) => {
    expect(withoutHidden(text)).toBe(text);
    expect(hiddenInSchema(text)).toBeUndefined();
  });

  it.each([
    ['tags', `a${tags('obey')}b`],
    ['tags after a flag', `ab${tags('gbeng')}\u{e007f}`],
    ['overrides of direction', 'a\u202eb\u202c'],
    ['isolates of direction', 'a\u2066b\u2069'],
    ['no width', 'a\u200bb\u2060\ufeff'],
    ['joiners between letters that never join', 'a\u200db\u200c'],
    ['soft hyphens and fillers', 'a\u00ad\u3164\u115f\u034fb'],
    ['selectors of variants that say bytes', 'a\ufe0f\ufe01\u{e0100}\u{e01ef}b'],
    ['invisible operators', 'a\u2062\u2063b'],
    ['controls', 'a\u0000\u001b\u007f\u009bb'],
    ['marks of annotations', 'a\ufff9b\ufffb'],
    ['selectors and joiners that lean on each other', 'a\ufe0f\u200db\u200d\ufe0f'],
    ['joiners that lean on marks of no width', 'a\u17b4\u200c\u17b5\u200d\u180b\u200c\u180db'],
  ])('has no %s', (_what, text) => {
    expect(withoutHidden(text)).toBe('ab');
    expect(hiddenInSchema(text)).toBeDefined();
  });

  it('has one joiner at a place, so that they spell nothing', () => {
    expect(withoutHidden('می\u200c\u200d\u200c\u200cخ')).toBe('می\u200cخ');
    expect(withoutHidden('\u1820\u180b\u180c\u180d\u200d\u180b\u182d')).toBe('\u1820\u180b\u182d');
    expect(withoutHidden('🚀\u200d\u200d\u200d🚀')).toBe('🚀🚀');
    expect(withoutHidden('🚀\ufe0f\ufe0f\ufe0e')).toBe('🚀\ufe0f');
  });

  it('has none that only what was taken out made room for', () => {
    const unit = fc.constantFrom(
      ...'a1#م\u1820\u17b4\u17d2\u180b\u180e\u200b\u200c\u200d\u061c\u034f\ufe0e\ufe0f\u20e3🚀🏽',
    );
    const isClean = fc.property(fc.string({ unit, maxLength: 8 }), (text) => {
      const clean = withoutHidden(text);
      expect(withoutHidden(clean)).toBe(clean);
      // An emoji may have a selector before the joiner to the next one.
      expect(clean.replaceAll('\ufe0f\u200d🚀', '🚀')).not.toMatch(
        /(?:\u200c|\u200d|\u180b|\ufe0f){2}/,
      );
    });
    fc.assert(isClean, { numRuns: 2_000 });
  });
});

describe('what a schema says to programs', () => {
  const hidden = 'red\u200b';

  it.each<object>([
    { title: hidden, description: hidden, $comment: hidden },
    { properties: { a: { description: hidden, items: [{ title: hidden }] } } },
    { $defs: { description: { description: hidden } }, anyOf: [{ title: hidden }] },
    { properties: { a: { enum: ['می‌خواهم', '👩‍🚀', 'a\nb', null, 1, true] } } },
    { additionalProperties: { title: hidden }, unevaluatedProperties: { title: hidden } },
    { propertyNames: { title: hidden }, contentSchema: { title: hidden } },
  ])('has words that are for readers: %j', (schema) => {
    expect(hiddenInSchema(schema)).toBeUndefined();
  });

  it.each<object>([
    { properties: { [hidden]: {} } },
    { required: [hidden] },
    { properties: { a: { enum: ['red', hidden] } } },
    { properties: { a: { const: hidden } } },
    { properties: { a: { const: { description: hidden } } } },
    { default: { title: hidden } },
    { default: { a: { title: hidden } } },
    { default: { a: { b: { title: hidden } } } },
    { examples: [{ a: [hidden] }] },
    { 'x-order': hidden },
    { 'x-order': { description: hidden } },
    { 'x-order': { a: { description: hidden } } },
    { [hidden]: 1 },
    { description: [hidden] },
    { properties: { description: { const: hidden } } },
    { patternProperties: { [hidden]: {} } },
    { properties: { a: { pattern: hidden } } },
    { dependencies: { a: [hidden] } },
    { items: { not: { if: { default: hidden } } } },
    { properties: { a: { default: 'half \ud83d' } } },
  ])('has none anywhere else: %j', (schema) => {
    expect(hiddenInSchema(schema)).toBeDefined();
  });
});
