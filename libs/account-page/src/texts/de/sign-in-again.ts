import type { signInAgain as english } from '../en/sign-in-again.js';

export const signInAgain: typeof english = {
  script: {
    title: 'Bestätigen Sie, dass Sie es sind',
    text: 'Dafür müssen Sie sich vor Kurzem angemeldet haben, und Ihre Anmeldung ist schon etwas her. Benutzen Sie einen Passkey dieses Kontos; danach geht es von selbst weiter.',
    act: 'Passkey verwenden',
    waiting: 'Ihr Passkey wird erwartet …',
    cancelled:
      'Abgebrochen oder Zeit abgelaufen. Es wurde nichts geändert. Sie können es noch einmal versuchen.',
    otherAccount:
      'Dieser Passkey gehört zu einem anderen Konto, deshalb wurde er nicht verwendet. Nehmen Sie einen dieses Kontos.',
  },
};
