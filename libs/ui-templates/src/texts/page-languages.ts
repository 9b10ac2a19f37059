import { Catalogue, type Language, type SomeOf, type TextsIn } from '../locale/catalogue.js';
import { markup as germanMarkup } from './de/markup.js';
import { script as germanScript } from './de/script.js';
import { markup as hebrewMarkup } from './he/markup.js';
import { script as hebrewScript } from './he/script.js';
import { english, type PageTexts } from './page-texts.js';

export type PageLanguage = Language<PageTexts>;

interface PageLanguagesOptions {
  /** Further languages, and texts in place of others. */
  readonly changes?: readonly TextsIn<SomeOf<PageTexts> | undefined>[];
  /** Tags, the first for whoever wants none of the others; all there are by default. */
  readonly offered?: readonly string[] | undefined;
}

/** The languages of the sign-in and consent pages. Throws TextsError. */
export const pageLanguages = (options: PageLanguagesOptions = {}) =>
  new Catalogue<PageTexts>({
    name: 'pages',
    builtIn: [
      { locale: 'en', texts: english },
      { locale: 'de', texts: { ...germanMarkup, script: germanScript } },
      { locale: 'he', texts: { ...hebrewMarkup, script: hebrewScript } },
    ],
    ...options,
  });

/** Those of the lib, English first. */
export const builtInPageLanguages = pageLanguages();
