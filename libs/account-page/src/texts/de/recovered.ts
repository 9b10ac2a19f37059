import type { recovered as english } from '../en/recovered.js';

export const recovered: typeof english = {
  heading: 'Fügen Sie jetzt einen Passkey hinzu',
  about:
    'Sie sind mit einem Wiederherstellungscode oder einem Link zurückgekommen, der jetzt verbraucht ist. Ohne Passkey brauchen Sie bei der nächsten Anmeldung wieder einen.',
  act: 'Passkey hinzufügen',
  doneHeading: 'Ihr neuer Passkey ist da',
  done: 'Entfernen Sie die Passkeys, die Sie verloren haben, damit niemand hineinkommt, der sie findet. Wenn jemand anderes Ihre Wiederherstellungscodes kennen könnte, erstellen Sie neue.',
  passkeys: 'Ihre Passkeys durchsehen',
  codes: 'Zu den Wiederherstellungs\u00adcodes',
};
