import type { deletion as english } from '../en/deletion.js';

export const deletion: typeof english = {
  heading: 'Konto löschen',
  about:
    'Ihr Name, Ihre Passkeys, verbundenen Apps und Credits werden sofort gelöscht, und niemand kann sie zurückholen.',
  button: 'Konto löschen …',
  doneHeading: 'Ihr Konto ist gelöscht',
  done: 'Alles, was dazu gehörte, ist weg, und Sie sind überall abgemeldet. Ihr Passkey-Manager zeigt die Passkeys vielleicht noch an; löschen Sie sie auch dort.',
  goOn: 'Zur Anmeldung',
  script: {
    title: 'Ihr Konto löschen?',
    text: 'Name, Passkeys, Anmeldungen, verbundene Apps und Credits werden sofort gelöscht. Niemand kann sie zurückholen, auch die Betreiber dieses Dienstes nicht.',
    label: 'Tippen Sie „{word}“, um fortzufahren',
    word: 'löschen',
    wordFault: 'Tippen Sie das Wort „{word}“, um das Konto zu löschen, oder brechen Sie ab.',
    act: 'Konto endgültig löschen',
  },
};
