import type { sessionOver as english } from '../en/session-over.js';

export const sessionOver: typeof english = {
  script: {
    title: 'Sie sind abgemeldet',
    act: 'Zur Anmeldung',
    otherTitle: 'Ein anderes Konto ist angemeldet',
    otherAct: 'Seite neu laden',
  },
};
