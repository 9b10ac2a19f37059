import { isCounted } from './counted.js';
import { type Locale, localeOf, TextsError } from './locale.js';
import { lookUp } from './look-up.js';
import { misfit } from './misfit.js';

/** A language with the texts of some part of the pages. */
export interface Language<Texts> extends Locale {
  readonly texts: Texts;
}

/** Any of the texts, at any depth. */
export type SomeOf<Texts> = { readonly [Key in keyof Texts]?: SomeOf<Texts[Key]> };

export interface TextsIn<Texts> {
  /** BCP 47. */
  readonly locale: string;
  readonly texts: Texts;
}

export interface CatalogueOptions<Texts> {
  /** Further languages, and texts in place of others; later ones win. */
  readonly changes?: readonly TextsIn<SomeOf<Texts> | undefined>[] | undefined;
  /** Tags, all of them by default; the first is for people who want none of the others. */
  readonly offered?: readonly string[] | undefined;
}

interface Contents<Texts> extends CatalogueOptions<Texts> {
  /** What they are of, for messages: `pages`. */
  readonly name: string;
  /** What the lib has. All others are held against the first: they have its keys and placeholders. */
  readonly builtIn: readonly [TextsIn<Texts>, ...TextsIn<Texts>[]];
}

/** The texts of some part of the pages in every language that is offered. */
export class Catalogue<Texts extends object> {
  /** In the order in which they are offered. */
  readonly languages: readonly Language<Texts>[];
  /** For people who want none of the others. */
  readonly fallback: Language<Texts>;
  /** By language: the keys whose texts it lacks, which are in the first language of the lib there. */
  readonly lacking: ReadonlyMap<string, readonly string[]>;
  private readonly byTag: ReadonlyMap<string, Language<Texts>>;

  /** Throws TextsError with one line that names language and key. */
  constructor({ name, builtIn, changes = [], offered }: Contents<Texts>) {
    const given = new Map<string, TextsIn<SomeOf<Texts> | undefined>>();
    const add = ({ locale, texts }: TextsIn<SomeOf<Texts> | undefined>, isWhole: boolean) => {
      const { tag } = localeOf(locale);
      const fault = misfit(texts ?? {}, builtIn[0].texts, isWhole);
      if (fault !== undefined) throw new TextsError(`texts of ${name} in ${tag}: ${fault}`);
      const before = given.get(tag)?.texts;
      given.set(tag, { locale, texts: completed(texts, before).texts as SomeOf<Texts> });
    };
    for (const one of builtIn) add(one, true);
    for (const one of changes) add(one, false);
    const first = given.get(localeOf(builtIn[0].locale).tag)?.texts as Texts;
    const lacking = new Map<string, readonly string[]>();
    const all = new Map<string, Language<Texts>>();
    for (const [tag, { locale, texts }] of given) {
      const whole = completed(texts ?? {}, first);
      if (whole.lacking.length > 0) lacking.set(tag, whole.lacking);
      all.set(tag, { ...localeOf(locale), texts: whole.texts as Texts });
    }
    const tags = offered?.map((tag) => localeOf(tag).tag) ?? [...all.keys()];
    this.languages = [...new Set(tags)].map((tag) => {
      const found = all.get(tag);
      if (found !== undefined) return found;
      throw new TextsError(
        `there are no texts of ${name} in ${tag}; there are some in ${[...all.keys()].join(', ')}`,
      );
    });
    const [fallback] = this.languages;
    if (fallback === undefined) throw new TextsError(`no language is offered for ${name}`);
    this.fallback = fallback;
    this.lacking = new Map([...lacking].filter(([tag]) => tags.includes(tag)));
    this.byTag = new Map(this.languages.map((one) => [one.tag.toLowerCase(), one]));
  }

  /** The language that fits best, or the fall-back. */
  choose(wanted: Iterable<string>): Language<Texts> {
    for (const tag of wanted) {
      const found = lookUp(tag, this.byTag);
      if (found !== undefined) return found;
    }
    return this.fallback;
  }

  /** What is written in a language that another catalogue chose. */
  in({ tag }: Locale): Texts {
    return (this.byTag.get(tag.toLowerCase()) ?? this.fallback).texts;
  }
}

interface Completed {
  readonly texts: unknown;
  /** The keys that were taken from the others, each as far up as all below it was. */
  readonly lacking: readonly string[];
}

/** Texts with others in place of those that they lack. A text for a number is whole, whichever forms it has. */
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
