import type { page as english } from '../en/page.js';

export const page: typeof english = {
  title: 'Ihr Konto',
  signOut: 'Abmelden',
  tryAgain: 'Noch einmal versuchen',
  loading: 'Wird geladen …',
  cancel: 'Abbrechen',
  noScript:
    'Diese Seite braucht JavaScript. Erlauben Sie es für diese Seite und laden Sie sie dann neu.',
  script: {
    notLoaded: 'Das konnte nicht geladen werden.',
    working: 'Einen Moment …',
    signedOut:
      'Sie sind hier nicht mehr angemeldet, deshalb wurde nichts geändert. Laden Sie die Seite neu, um sich anzumelden.',
    otherAccount:
      'Hier ist inzwischen ein anderes Konto angemeldet, deshalb wurde nichts geändert. Laden Sie die Seite neu, um es zu sehen.',
    notSignedInAgain: 'Sie haben sich nicht noch einmal angemeldet, deshalb wurde nichts geändert.',
    justNow: 'gerade eben',
    onDate: 'am {date}',
    atTime: '{day} um {time}',
    both: '{first}, {second}',
    browser: '{browser} auf {system}',
  },
};
