import { Catalogue, type CatalogueOptions, type Language } from '../locale/catalogue.js';
import { german } from './de.js';
import { english, type PageTexts } from './en.js';
import { hebrew } from './he.js';

export type PageLanguage = Language<PageTexts>;

/** The languages of the sign-in and consent pages. Throws TextsError. */
export const pageLanguages = (options: CatalogueOptions<PageTexts> = {}) =>
  new Catalogue<PageTexts>({
    name: 'pages',
    builtIn: [
      { locale: 'en', texts: english },
      { locale: 'de', texts: german },
      { locale: 'he', texts: hebrew },
    ],
    ...options,
  });

/** The built-in languages, English first. */
export const builtInPageLanguages = pageLanguages();
