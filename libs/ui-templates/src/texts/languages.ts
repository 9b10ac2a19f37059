import { Catalogue, type CatalogueOptions, type Language } from '../locale/catalogue.js';
import { germanAccountTexts } from './account.de.js';
import { type AccountTexts, englishAccountTexts } from './account.en.js';
import { hebrewAccountTexts } from './account.he.js';
import { germanPageTexts } from './pages.de.js';
import { englishPageTexts, type PageTexts } from './pages.en.js';
import { hebrewPageTexts } from './pages.he.js';

export type PageLanguage = Language<PageTexts>;

/** The languages of the sign-in and consent pages. Throws TextsError. */
export const pageLanguages = (options: CatalogueOptions<PageTexts> = {}) =>
  new Catalogue<PageTexts>({
    name: 'pages',
    builtIn: [
      { locale: 'en', texts: englishPageTexts },
      { locale: 'de', texts: germanPageTexts },
      { locale: 'he', texts: hebrewPageTexts },
    ],
    ...options,
  });

/** The built-in languages, English first. */
export const builtInPageLanguages = pageLanguages();

/** The texts of the account page and its related pages, in every language. Throws TextsError. */
export const accountLanguages = (options: CatalogueOptions<AccountTexts> = {}) =>
  new Catalogue<AccountTexts>({
    name: 'the account page',
    builtIn: [
      { locale: 'en', texts: englishAccountTexts },
      { locale: 'de', texts: germanAccountTexts },
      { locale: 'he', texts: hebrewAccountTexts },
    ],
    ...options,
  });

/** The built-in languages, English first. */
export const builtInAccountTexts = accountLanguages();
