/** A text for a number `{n}`, by the plural category of its language (CLDR). */
export type Counted = { readonly other: string } & {
  readonly [Category in Intl.LDMLPluralRule]?: string;
};

/** Marks a text for a number: each language has the plural categories that it needs, at least `other`. */
export const counted = (text: Counted): Counted => text;

const CATEGORIES = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

export const isCounted = (value: object): value is Counted =>
  'other' in value && Object.keys(value).every((key) => CATEGORIES.has(key));

/** The plural form for a number in the language of a tag, with `{n}` still in it. */
export const textForNumber = (text: Counted, n: number, tag: string): string =>
  text[new Intl.PluralRules(tag).select(n)] ?? text.other;
