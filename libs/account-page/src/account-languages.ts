import { Catalogue, type SomeOf, type TextsIn } from '#libs/ui-templates';
import { type AccountTexts, english } from './texts/english.js';
import { german } from './texts/german.js';
import { hebrew } from './texts/hebrew.js';

interface AccountLanguagesOptions {
  /** Further languages, and texts in place of others. */
  readonly changes?: readonly TextsIn<SomeOf<AccountTexts> | undefined>[] | undefined;
  /** Tags, as the languages of the pages have them; all there are by default. */
  readonly offered?: readonly string[] | undefined;
}

/** What the account page and those around it say, in every language. Throws TextsError. */
export const accountLanguages = (options: AccountLanguagesOptions = {}) =>
  new Catalogue<AccountTexts>({
    name: 'the account page',
    builtIn: [
      { locale: 'en', texts: english },
      { locale: 'de', texts: german },
      { locale: 'he', texts: hebrew },
    ],
    ...options,
  });

/** Those of the lib, English first. */
export const builtInAccountTexts = accountLanguages();
