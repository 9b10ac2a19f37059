import { type Locale, localeOf, lookUp, TextsError } from './locale.js';

/** A text for a number `{n}`, by the plural category of its language (CLDR). */
export type Counted = { readonly other: string } & {
  readonly [Category in Intl.LDMLPluralRule]?: string;
};

/** Marks a text for a number: each language has the plural categories that it needs, at least `other`. */
export const counted = (text: Counted): Counted => text;

const CATEGORIES = new Set(['zero', 'one', 'two', 'few', 'many', 'other']);

const isCounted = (value: object): value is Counted =>
  'other' in value && Object.keys(value).every((key) => CATEGORIES.has(key));

/**
 * The fault that keeps texts from replacing those of a template: an unknown key, a text where the template has a
 * record, a missing or unknown `{placeholder}`. Undefined when they fit. A template without keys accepts any texts.
 *
 * @param place the keys above these texts, for the message
 */
export function mismatch(texts: unknown, template: unknown, place = ''): string | undefined {
  if (texts === undefined) return undefined;
  if (typeof template === 'string') return mismatchOfText(place, texts, template);
  if (typeof texts !== 'object' || texts === null) return `${place} has to be a record`;
  if (isCounted(template as object)) return mismatchOfCounted(place, texts, template as Counted);
  const models = new Map<string, unknown>(Object.entries(template as object));
  const given = new Map<string, unknown>(Object.entries(texts));
  if (models.size === 0) return mismatchOfOpen(place, given);
  const below = (key: string) => (place === '' ? key : `${place}.${key}`);
  const extra = [...given.keys()].find((key) => !models.has(key));
  if (extra !== undefined) return `${below(extra)} is no text of the pages`;
  const faults = [...models].map(([key, model]) => mismatch(given.get(key), model, below(key)));
  return faults.find((fault) => fault !== undefined);
}

function mismatchOfOpen(place: string, given: ReadonlyMap<string, unknown>): string | undefined {
  const other = [...given].find(([, text]) => typeof text !== 'string');
  return other && `${place}.${other[0]} has to be a text`;
}

/** The forms for "one" and "two" may spell the number out, without `{n}`. */
function mismatchOfCounted(place: string, texts: object, { other }: Counted): string | undefined {
  if (!isCounted(texts)) return `${place} takes texts by plural category, "other" among them`;
  for (const [category, text] of Object.entries<unknown>(texts)) {
    const fault = unknownPlaceholder(`${place}.${category}`, text, other);
    if (fault !== undefined) return fault;
  }
  return missingPlaceholder(`${place}.other`, texts.other, other);
}

const mismatchOfText = (place: string, text: unknown, model: string) =>
  unknownPlaceholder(place, text, model) ?? missingPlaceholder(place, String(text), model);

function unknownPlaceholder(place: string, text: unknown, model: string): string | undefined {
  if (typeof text !== 'string') return `${place} has to be a text`;
  const extra = placeholdersOf(text).find((one) => !model.includes(one));
  return extra && `${place} has ${extra}, which nothing is filled in for`;
}

function missingPlaceholder(place: string, text: string, model: string): string | undefined {
  const lacking = placeholdersOf(model).find((one) => !text.includes(one));
  return lacking && `${place} lacks ${lacking}`;
}

const placeholdersOf = (text: string): readonly string[] => text.match(/\{\w+\}/g) ?? [];

/** A language with its texts for some part of the pages. */
export interface Language<Texts> extends Locale {
  readonly texts: Texts;
}

/** Any subset of the texts, at any depth. */
export type SomeOf<Texts> = { readonly [Key in keyof Texts]?: SomeOf<Texts[Key]> };

export interface TextsIn<Texts> {
  /** BCP 47. */
  readonly locale: string;
  readonly texts: Texts;
}

export interface CatalogueOptions<Texts> {
  /** Further languages, and replacements of texts; later ones take precedence. */
  readonly changes?: readonly TextsIn<SomeOf<Texts> | undefined>[] | undefined;
  /** The offered tags, all by default; the first is the fallback for people who want none of them. */
  readonly offered?: readonly string[] | undefined;
}

interface Contents<Texts> extends CatalogueOptions<Texts> {
  /** The name of the texts, for messages: `pages`. */
  readonly name: string;
  /** The languages of the lib. The first is the template of all others: its keys and placeholders. */
  readonly builtIn: readonly [TextsIn<Texts>, ...TextsIn<Texts>[]];
}

export class Catalogue<Texts extends object> {
  readonly languages: readonly Language<Texts>[];
  /** For people who want none of the offered languages. */
  readonly fallback: Language<Texts>;
  /** By language: the keys without a text; they fall back to the first language of the lib. */
  readonly lacking: ReadonlyMap<string, readonly string[]>;
  private readonly byTag: ReadonlyMap<string, Language<Texts>>;

  /** Throws TextsError with one line that names language and key. */
  constructor({ name, builtIn, changes = [], offered }: Contents<Texts>) {
    const given = new Map<string, unknown>();
    for (const { locale, texts } of [...builtIn, ...changes]) {
      const { tag } = localeOf(locale);
      const fault = mismatch(texts, builtIn[0].texts);
      if (fault !== undefined) throw new TextsError(`texts of ${name} in ${tag}: ${fault}`);
      given.set(tag, completed(texts, given.get(tag)).texts ?? {});
    }
    const first = given.get(localeOf(builtIn[0].locale).tag);
    const lacking = new Map<string, readonly string[]>();
    const tags = offered?.map((tag) => localeOf(tag).tag) ?? given.keys();
    this.languages = Array.from(new Set(tags), (tag) => {
      if (!given.has(tag)) {
        const known = [...given.keys()].join(', ');
        throw new TextsError(`there are no texts of ${name} in ${tag}; there are some in ${known}`);
      }
      const whole = completed(given.get(tag), first);
      if (whole.lacking.length > 0) lacking.set(tag, whole.lacking);
      return { ...localeOf(tag), texts: whole.texts as Texts };
    });
    const [fallback] = this.languages;
    if (fallback === undefined) throw new TextsError(`no language is offered for ${name}`);
    this.fallback = fallback;
    this.lacking = lacking;
    this.byTag = new Map(this.languages.map((one) => [one.tag.toLowerCase(), one]));
  }

  /** The language that fits best, or the fallback. */
  choose(wanted: Iterable<string>): Language<Texts> {
    for (const tag of wanted) {
      const found = lookUp(tag, this.byTag);
      if (found !== undefined) return found;
    }
    return this.fallback;
  }

  /** The texts in the language that another catalogue chose. */
  in({ tag }: Locale): Texts {
    return (this.byTag.get(tag.toLowerCase()) ?? this.fallback).texts;
  }
}

interface Completed {
  readonly texts: unknown;
  /** The keys that were filled in from the fallback; a whole missing record counts as one key. */
  readonly lacking: readonly string[];
}

/** Fills in missing texts from others. A text for a number is taken as a whole, with the plural forms that it has. */
function completed(texts: unknown, others: unknown, place = ''): Completed {
  if (texts === undefined) return { texts: others, lacking: [place] };
  if (typeof others !== 'object' || others === null || isCounted(others)) {
    return { texts, lacking: [] };
  }
  const given = new Map<string, unknown>(Object.entries(texts as object));
  const below = Object.entries(others).map(([key, other]) => {
    const whole = completed(given.get(key), other, place === '' ? key : `${place}.${key}`);
    return [key, whole] as const;
  });
  return {
    texts: {
      ...others,
      ...(texts as object),
      ...Object.fromEntries(below.map(([key, whole]) => [key, whole.texts])),
    },
    lacking: below.flatMap(([, { lacking }]) => lacking),
  };
}
