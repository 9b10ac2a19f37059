import type { signedOut as english } from '../en/signed-out.js';

export const signedOut: typeof english = {
  heading: 'Ihr Konto bei {service}',
  lostHeading: 'Haben Sie Ihre Passkeys verloren?',
  lost: 'Mit einem Wiederherstellungscode oder einem Link von den Betreibern dieses Dienstes kommen Sie hinein, um einen neuen Passkey hinzuzufügen.',
  recover: 'Konto wiederherstellen',
  script: {
    wrongPlace:
      'Passkeys funktionieren unter dieser Adresse nicht. Fragen Sie die Betreiber des Dienstes nach dessen Namen.',
    otherAddress:
      'Der Dienst hat eine andere Adresse als diese Seite. Laden Sie die Seite neu; wenn das nicht hilft, sagen Sie den Betreibern des Dienstes Bescheid.',
  },
};
