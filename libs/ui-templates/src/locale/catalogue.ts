import { type Locale, localeOf } from './locale.js';
import { lookUp } from './look-up.js';
import { misfit } from './misfit.js';
import { TextsError } from './texts.error.js';

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

interface Contents<Texts> {
  /** What they are of, for messages: `pages`. */
  readonly name: string;
  /** What the lib has. All others are held against the first: they have its keys and placeholders. */
  readonly builtIn: readonly [TextsIn<Texts>, ...TextsIn<Texts>[]];
  /** Further languages, which have to be whole, and texts in place of others; later ones win. */
  readonly changes?: readonly TextsIn<SomeOf<Texts> | undefined>[] | undefined;
  /** Tags, all of them by default; the first is for whoever wants none of the others. */
  readonly offered?: readonly string[] | undefined;
}

/** The texts of some part of the pages in every language that is offered. */
export class Catalogue<Texts extends object> {
  /** In the order in which they are offered. */
  readonly languages: readonly Language<Texts>[];
  /** For whoever wants none of the others. */
  readonly fallback: Language<Texts>;
  private readonly byTag: ReadonlyMap<string, Language<Texts>>;

  /** Throws TextsError with one line that names language and key. */
  constructor({ name, builtIn, changes = [], offered }: Contents<Texts>) {
    const all = new Map<string, Language<Texts>>();
    const add = (given: TextsIn<SomeOf<Texts> | undefined>) => {
      const language = localeOf(given.locale);
      const base = all.get(language.tag)?.texts;
      const fault = misfit(given.texts ?? {}, builtIn[0].texts, base === undefined);
      if (fault !== undefined) {
        throw new TextsError(`texts of ${name} in ${language.tag}: ${fault}`);
      }
      all.set(language.tag, { ...language, texts: merged(base, given.texts) as Texts });
    };
    for (const one of [...builtIn, ...changes]) add(one);
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

/** Both fit the same template, so where one has a record the other has one, too. */
function merged(base: unknown, changes: unknown): unknown {
  if (changes === undefined) return base;
  if (typeof base !== 'object' || base === null || typeof changes !== 'object') return changes;
  const entries = Object.entries({ ...base, ...changes }).map(([key, value]) => {
    const before = Object.hasOwn(base, key) ? (base as Record<string, unknown>)[key] : undefined;
    return [key, value === before ? value : merged(before, value)];
  });
  return Object.fromEntries(entries);
}
