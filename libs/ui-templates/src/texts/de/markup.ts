import { counted } from '../../locale/counted.js';
import type { MarkupTexts } from '../page-texts.js';

export const markup: MarkupTexts = {
  title: '{title} – {service}',
  app: {
    about: 'Über diese App',
    published: 'Veröffentlicht von',
    publisher: 'Herausgeber',
    unverified:
      '{mark}. Die App hat sich selbst registriert, und dabei kann jeder jeden Namen angeben.',
    unverifiedMark: 'Name nicht geprüft',
    registered: 'Hier registriert am {moment}.',
    returnsTo: 'Zurück zu',
    opensApp: 'der App auf diesem Gerät, die {target} öffnet',
    loopback:
      'Führt zu diesem Computer: Fahren Sie nur fort, wenn Sie das selbst angestoßen haben.',
    loopbackWhy: 'Warum?',
    loopbackBecause:
      'Die Antwort geht an {target}. Dort kann jedes Programm auf diesem Computer lauschen, nicht nur die App, die Sie meinen. Fahren Sie nur fort, wenn Sie gerade hier eine App verbinden wollten.',
  },
  signIn: {
    title: 'Anmelden',
    heading: 'Melden Sie sich an, um {app} zu verbinden',
    knownHeading: 'Anmelden',
    known: 'Verwenden Sie einen Passkey, den Sie hier schon erstellt haben.',
    account: 'Konto',
    accountHint: 'hier schlägt Ihr Browser Ihre Passkeys vor',
    button: 'Mit einem Passkey anmelden',
    newHeading: 'Neu hier?',
    new: 'Ihr Gerät bewahrt einen Passkey für Sie auf und entsperrt ihn mit Gesicht, Fingerabdruck oder PIN. Ein Passwort gibt es nicht.',
    name: 'Ihr Name',
    nameHint: '1 bis 40 Zeichen. Er steht beim Anmelden an Ihrem Passkey.',
    create: 'Konto mit einem Passkey erstellen',
    invite: 'Einladungscode',
    inviteHint:
      'Sie brauchen einen, um ein Konto zu erstellen. Fragen Sie die Betreiber dieses Dienstes.',
    closed:
      'Zurzeit werden hier keine neuen Konten angelegt. Wenn Sie eines haben sollten, fragen Sie die Betreiber dieses Dienstes.',
    noScript:
      'Passkeys brauchen JavaScript. Erlauben Sie es für diese Seite und laden Sie sie dann neu.',
  },
  passkeysUnavailable: {
    unsupportedHeading: 'Dieser Browser kann keine Passkeys verwenden',
    unsupported:
      'Vielleicht sind Sie innerhalb einer anderen App, oder der Browser ist zu alt. Kopieren Sie den Link und öffnen Sie ihn in Ihrem üblichen Browser.',
    link: 'Link zu dieser Seite',
    copy: 'Link kopieren',
    addressHeading: 'Passkeys funktionieren hier nicht',
    address:
      'Browser verwenden Passkeys nur unter einem Hostnamen, nie unter einer Adresse wie {host}.',
    localhost:
      'Verbinden Sie die App mit {there} statt mit {here}. In diesem Fenster ausprobieren: {link}',
    localhostLink: 'diese Seite auf localhost öffnen',
    localhostHere: 'Verwenden Sie {there} statt {here}: {link}',
    noHostName: 'Fragen Sie die Betreiber dieses Dienstes nach seinem Namen.',
  },
  consent: {
    title: '{app} erlauben?',
    heading: '{app} möchte sich mit Ihrem Konto verbinden',
    signedInAs: 'Angemeldet als {user}',
    switchAccount: 'Anderes Konto verwenden',
    scopes: 'Was die App darf',
    someRequested:
      'Was die App verlangt, ist angehakt. Entfernen Sie die Haken bei allem, was sie nicht tun soll.',
    noneRequested:
      'Die App hat nicht gesagt, was sie braucht, daher ist alles angehakt. Entfernen Sie die Haken bei allem, was sie nicht tun soll.',
    newAccount: 'Abmelden und ein Konto erstellen',
    notRequested: 'nicht verlangt',
    duration: 'Der Zugriff endet von selbst, wenn er 30 Tage lang nicht genutzt wird.',
    durationWithEnd:
      'Der Zugriff endet von selbst, wenn er 30 Tage lang nicht genutzt wird, in jedem Fall aber in {days}.',
    durationOfEnd: 'Der Zugriff endet von selbst in {days}.',
    disconnect: 'Auf {link} können Sie die App jederzeit trennen.',
    accountPage: 'Ihrer Kontoseite',
    days: counted({ one: 'einem Tag', other: '{n} Tagen' }),
    approve: 'Erlauben',
    deny: 'Nicht erlauben',
  },
  openInTab: {
    title: 'Diese Seite in einem Tab öffnen',
    heading: 'Öffnen Sie diese Seite in einem eigenen Tab, um {app} zu verbinden',
    reason:
      'Sie wurde innerhalb einer anderen Seite oder von einem Skript geladen. Zum Schutz Ihres Kontos können Sie einer App nur in einem Tab antworten, den Ihr Browser selbst geladen hat.',
    link: 'In neuem Tab öffnen',
    again:
      'Sie sehen das schon wieder? Halten Sie die Umschalttaste gedrückt und laden Sie die Seite neu: Dann steht nichts von der Website mehr dazwischen.',
  },
};
