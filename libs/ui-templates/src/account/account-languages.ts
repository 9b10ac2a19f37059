import { Catalogue, type CatalogueOptions } from '../locale/catalogue.js';
import { german } from './texts/de.js';
import { type AccountTexts, english } from './texts/en.js';
import { hebrew } from './texts/he.js';

/** The texts of the account page and its related pages, in every language. Throws TextsError. */
export const accountLanguages = (options: CatalogueOptions<AccountTexts> = {}) =>
  new Catalogue<AccountTexts>({
    name: 'the account page',
    builtIn: [
      { locale: 'en', texts: english },
      { locale: 'de', texts: german },
      { locale: 'he', texts: hebrew },
    ],
    ...options,
  });

/** The built-in languages, English first. */
export const builtInAccountTexts = accountLanguages();
