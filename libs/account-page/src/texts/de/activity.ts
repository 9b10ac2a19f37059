import type { activity as english } from '../en/activity.js';

export const activity: typeof english = {
  heading: 'Letzte Aktivitäten',
  about:
    'Was zuletzt mit Ihrem Konto geschah. Wenn Sie etwas davon nicht waren, steht dabei, was zu tun ist.',
  none: 'Noch nichts.',
  notYou: 'Waren Sie das nicht?',
  script: {
    types: {
      'sign-up': 'Konto erstellt',
      'sign-in': 'Angemeldet',
      'sign-out': 'Abgemeldet',
      'passkey-added': 'Passkey hinzugefügt',
      'passkey-renamed': 'Passkey umbenannt',
      'passkey-removed': 'Passkey entfernt',
      'session-ended': 'An einer Stelle abgemeldet',
      'other-sessions-ended': 'Überall sonst abgemeldet',
      'display-name-changed': 'Name geändert',
      'recovery-codes-created': 'Wiederherstellungs\u00adcodes erstellt',
      'account-recovered': 'Mit Code oder Link wiederhergestellt',
      'consent-approved': '{app} verbunden',
      'app-disconnected': '{app} getrennt',
      'token-replayed': 'Zugriff von {app} beendet',
      'signature-counter-reversed': 'Ein Passkey, der eine Kopie sein könnte, wurde abgewiesen',
      'recovery-link-created': 'Wiederherstellungslink für Sie erstellt',
      'recovery-link-revoked': 'Wiederherstellungslink widerrufen',
      'user-signed-out': 'Überall abgemeldet',
      'user-disabled': 'Konto gesperrt',
      'user-enabled': 'Konto entsperrt',
      'budget-set': 'Tägliche Credits geändert',
      'budget-reset': 'Credits des Tages zurückgegeben',
    },
    advice: {
      intruder:
        'Jemand anderes war als Sie angemeldet. Melden Sie sich überall sonst ab, und entfernen Sie dann jeden Passkey, den Sie nicht kennen.',
      passkey:
        'Jemand anderes kann sich als Sie anmelden. Entfernen Sie jeden Passkey, den Sie nicht kennen, und melden Sie sich dann überall sonst ab.',
      codes:
        'Jemand anderes kennt vielleicht Ihre Wiederherstellungscodes. Erstellen Sie neue, dann gelten die alten nicht mehr. Melden Sie sich danach überall sonst ab, und entfernen Sie jeden Passkey, den Sie nicht kennen.',
      recovered:
        'Wenn Sie es nicht waren, kannte jemand einen Ihrer Codes: Erstellen Sie neue, melden Sie sich dann überall sonst ab, und entfernen Sie jeden Passkey, den Sie nicht kennen. Wenn Sie es waren, entfernen Sie die Passkeys, die Sie verloren haben.',
      app: 'Trennen Sie sie. Melden Sie sich dann überall sonst ab, und entfernen Sie jeden Passkey, den Sie nicht kennen.',
      replayed:
        'Der Zugriff wurde vielleicht kopiert, deshalb wurde er sofort beendet. Verbinden Sie die App nur dort wieder, wo Sie dem Computer vertrauen, auf dem sie läuft.',
      copied:
        'Die Anmeldung wurde abgewiesen. Wenn Sie es waren, entfernen Sie diesen Passkey und fügen Sie einen neuen hinzu. Wenn nicht, hat jemand eine Kopie davon: Entfernen Sie ihn sofort.',
      operator:
        'Das waren die Betreiber dieses Dienstes. Fragen Sie dort nach, wenn Sie es nicht erwartet haben.',
    },
    links: {
      sessions: 'Dorthin, wo Sie angemeldet sind',
      passkeys: 'Zu den Passkeys',
      'recovery-codes': 'Zu den Wiederherstellungs\u00adcodes',
      apps: 'Zu den verbundenen Apps',
    },
    other: 'Etwas anderes: {type}',
    someApp: 'Eine App',
    all: 'Alle {n} anzeigen',
    whatToDo: 'Was zu tun ist',
  },
};
