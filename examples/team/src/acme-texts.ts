import type { LanguageTexts } from 'gatehouse';

/** Sentences in Acme's own words; all others are the built-in ones. */
export const texts: readonly LanguageTexts[] = [
  {
    locale: 'en',
    pages: { consent: { approve: 'Yes, allow' } },
    account: { page: { title: 'Your account at Acme' } },
  },
  {
    locale: 'de',
    pages: {
      consent: { approve: 'Ja, erlauben' },
      script: {
        reasons: {
          'names with Acme in them are for Acme itself; choose another one':
            'Namen mit „Acme“ sind Acme vorbehalten; wählen Sie einen anderen',
        },
      },
    },
  },
];
