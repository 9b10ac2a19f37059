import type { recover as english } from '../en/recover.js';

export const recover: typeof english = {
  title: 'Konto wiederherstellen',
  about:
    'Für den Fall, dass alle Ihre Passkeys verloren sind. Mit einem Code kommen Sie einmal hinein; fügen Sie dann gleich einen neuen Passkey hinzu.',
  signedIn:
    'Sie sind hier als {user} angemeldet. Ein Code meldet Sie bei dem Konto an, zu dem er gehört, und bei diesem ab. Um diesem Konto einen Passkey hinzuzufügen, brauchen Sie keinen Code: {account}.',
  account: 'zu Ihrem Konto',
  label: 'Wiederherstellungscode',
  hint: 'Einer der Codes, die Sie aufbewahrt haben, zum Beispiel {example}, oder einer, den Sie von den Betreibern dieses Dienstes bekommen haben. Kleinbuchstaben, Leerzeichen und Striche machen keinen Unterschied.',
  act: 'Konto wiederherstellen',
  noneHeading: 'Kein Code mehr da?',
  none: 'Die Betreiber dieses Dienstes können Ihnen einen Link schicken, der 24 Stunden lang gilt. Vorher sollten sie sich vergewissern, dass Sie es sind.',
  signInHeading: 'Doch noch einen Passkey gefunden?',
  signIn: 'Melden Sie sich damit an',
  noScript:
    'Diese Seite braucht JavaScript. Erlauben Sie es für diese Seite und laden Sie sie dann neu.',
  script: {
    fromLink:
      'Der Code aus Ihrem Link ist eingetragen. Drücken Sie „Konto wiederherstellen“, um ihn zu verwenden.',
    working: 'Einen Moment …',
    done: 'Sie sind drin. Einen Moment …',
    empty: 'Geben Sie einen Wiederherstellungscode ein.',
    incomplete: {
      one: 'Das ist kein ganzer Code: Er hat nur {n} Zeichen. Ein aufbewahrter Code hat 24, einer aus einem Link 32.',
      other:
        'Das ist kein ganzer Code: Er hat {n} Buchstaben und Ziffern. Ein aufbewahrter Code hat 24, einer aus einem Link 32.',
    },
    wrong:
      'Mit diesem Code kommen Sie nicht hinein: Er ist vertippt, wurde schon verwendet, durch neuere Codes ersetzt oder ist abgelaufen. Vergleichen Sie ihn, oder versuchen Sie einen anderen.',
    disabled:
      'Dieses Konto ist gesperrt, deshalb wurde der Code nicht verbraucht. Fragen Sie die Betreiber dieses Dienstes.',
    offline:
      'Der Dienst war nicht zu erreichen. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal; wenn der Code dann als verwendet gilt, nehmen Sie den nächsten.',
  },
};
