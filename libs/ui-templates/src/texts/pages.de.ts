import { counted } from '../locale/catalogue.js';
import type { PageTexts } from './pages.en.js';

export const germanPageTexts: PageTexts = {
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
    resource: 'Sie verlangt Zugriff auf {name}: {address}',
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
    ask: 'Mich jedes Mal fragen',
    presets: {
      label: 'Auswahl',
      asked: 'Was sie angefragt hat',
      read: 'Nur lesen',
      all: 'Alles',
    },
  },
  request: {
    title: 'Anfrage von {app}',
    tool: '{app} möchte „{tool}“ verwenden',
    toolOn: '{app} möchte „{tool}“ auf {page} verwenden',
    resource: '{app} möchte „{tool}“ lesen',
    prompt: '{app} möchte die Vorlage „{tool}“ verwenden',
    about: 'Über diese Anfrage',
    app: 'App',
    action: 'Aktion',
    page: 'Seite',
    notPermitted: 'Sie werden gefragt, weil {app} das nicht darf: {permission}.',
    askedFor: 'Sie werden gefragt, weil Sie hierzu jedes Mal gefragt werden wollen: {permission}.',
    confirms: 'Sie werden gefragt, weil diese Aktion immer bestätigt werden muss.',
    arguments: 'Mit diesen Angaben',
    noArguments: 'Weitere Angaben schickt die App nicht mit.',
    argument: 'Name',
    value: 'Wert',
    empty: 'leer',
    truncated:
      'Hier steht nur der Anfang, weil das Ganze zu lang ist. Wenn Sie auch den Rest kennen müssen, erlauben Sie es nicht.',
    unseen:
      'Marken wie {example} stehen für Zeichen, die unsichtbar sind oder die Reihenfolge des Textes ändern.',
    answers: 'Ihre Antwort',
    byPasskey: 'Wenn Sie es erlauben, bestätigen Sie es mit Ihrem Passkey.',
    noMeans:
      'Es geschieht nichts. Versucht {app} genau das noch einmal, wird es 10 Minuten lang abgelehnt.',
    noPermission: 'Es geschieht nichts. {app} kann 10 Minuten lang nicht mehr danach fragen.',
    once: 'Einmal erlauben',
    onceMeans:
      '{app} darf genau das ein einziges Mal tun, innerhalb von 10 Minuten. Danach muss die App wieder fragen.',
    always: 'Immer erlauben',
    alwaysMeans:
      '{app} darf das tun und fragt ab jetzt bei nichts mehr, was dazugehört: {permission}. Ändern können Sie das auf {link}.',
    appPage: 'der Seite der App',
    unanswered:
      'Antworten Sie nicht innerhalb von {minutes} (bis {until}), geschieht nichts, und die Anfrage verfällt.',
    outcomes: {
      once: 'Einmal erlaubt',
      always: 'Immer erlaubt',
      no: 'Nicht erlaubt',
      expired: 'Diese Anfrage ist verfallen',
    },
    outcomeMeans: {
      once: '{app} darf genau das innerhalb von 10 Minuten tun. Macht die App nicht von selbst weiter, sagen Sie ihr, dass sie es noch einmal versuchen soll.',
      always:
        '{app} darf das ab jetzt, ohne zu fragen. Macht die App nicht von selbst weiter, sagen Sie ihr, dass sie es noch einmal versuchen soll. Ändern können Sie das auf {link}.',
      no: 'Es ist nichts geschehen. {app} erfährt, dass Sie abgelehnt haben, und soll es nur noch einmal versuchen, wenn Sie darum bitten.',
      expired:
        'Es ist nichts geschehen. Wenn Sie es noch wollen, sagen Sie {app}, dass die App es noch einmal versuchen soll. Sie werden dann wieder gefragt.',
    },
    late: 'Diese Anfrage war schon beendet, Ihre letzte Antwort zählt deshalb nicht.',
    account: 'Zu Ihrem Konto',
    goneTitle: 'Diese Anfrage gibt es hier nicht',
    gone: 'Sie ist seit über einer Stunde beendet, oder sie gehört zu einem anderen Konto. Wenn noch eine App auf Sie wartet, sagen Sie ihr, dass sie es noch einmal versuchen soll.',
  },
  appPage: {
    back: 'Zurück zu Ihrem Konto',
    opensApp: 'eine App auf Ihrem Gerät',
    resource: 'Hat Zugriff auf',
    managedBy: 'Verwaltet von',
    connected: 'Verbunden',
    lastUsed: 'Zuletzt verwendet',
    ends: 'Zugriff endet',
    endsUnused: '{end}, falls die App bis dahin nicht verwendet wird',
    pause: 'Anhalten',
    pauseMeans: 'Solange sie angehalten ist, bleibt {app} verbunden, kann aber nichts tun.',
    paused: 'Angehalten',
    pausedByAdministrator: 'Die Betreiber haben {app} angehalten. Nur sie können das beenden.',
    resume: 'Fortsetzen',
    permissions: 'Berechtigungen',
    permissionsAbout: 'Legen Sie fest, was {app} darf. Es gilt ab der nächsten Aktion der App.',
    askMeans: '„Mich fragen“ heißt: Es geschieht nichts, bis Sie zustimmen, jedes Mal.',
    allow: 'Erlauben',
    ask: 'Mich fragen',
    off: 'Aus',
    notOfferedBy: 'Nicht von {name} erteilt; Sie können es hier nicht einschalten.',
    mayAsk: 'Die App darf um mehr bitten',
    mayAskMeans:
      'Braucht sie etwas, das aus ist, werden Sie gefragt. Sonst wird es abgelehnt, ohne Sie zu fragen.',
    savePermissions: 'Berechtigungen speichern',
    limits: 'Grenzen',
    dailyCredits: 'Credits am Tag',
    dailyCreditsMeans:
      'Sind sie verbraucht, muss die App bis Mitternacht (UTC) warten. Bleibt das Feld leer, gelten nur die täglichen Credits Ihres Kontos.',
    used: counted({
      one: 'Heute {n} Credit verbraucht.',
      other: 'Heute {n} Credits verbraucht.',
    }),
    endsOn: 'Letzter Tag des Zugriffs',
    endsOnMeans:
      'Am Ende dieses Tages (UTC) wird die App getrennt. Bleibt das Feld leer, gibt es keinen letzten Tag.',
    saveLimits: 'Grenzen speichern',
    calls: 'Was sie getan hat',
    callsAbout:
      'Aufbewahrt wird nur, welche Aktion es war und wie sie ausging, nicht was gesendet oder empfangen wurde.',
    noCalls: 'Noch nichts.',
    chart: counted({
      one: '{n} Aktion in den letzten 30 Tagen',
      other: '{n} Aktionen in den letzten 30 Tagen',
    }),
    day: 'Tag',
    dayCalls: 'Aktionen',
    allTools: 'Alle Aktionen',
    others: 'Weitere Aktionen',
    show: 'Anzeigen',
    credits: counted({ one: '{n} Credit', other: '{n} Credits' }),
    outcomes: {
      done: 'Erledigt',
      asked: 'Wartete auf eine Antwort',
      refused: 'Abgelehnt',
      failed: 'Fehlgeschlagen',
      cancelled: 'Abgebrochen',
    },
    approved: { once: 'von Ihnen erlaubt', passkey: 'von Ihnen mit Passkey erlaubt' },
    newest: 'Neueste',
    older: 'Ältere',
    disconnect: 'Trennen',
    disconnectQuestion: '{app} trennen …',
    disconnectMeans:
      'Die App kann dann in Ihrem Konto nichts mehr tun. Sie können sie von der App aus wieder verbinden.',
    disconnectMeansManaged:
      'Sie kann dann sofort nicht mehr auf Ihr Konto zugreifen. {name} kann sie wieder verbinden.',
    disconnectNow: 'Jetzt trennen',
    goneTitle: 'Diese App ist nicht verbunden',
    gone: 'Sie wurde getrennt, ihr Zugriff ist beendet, oder sie ist mit einem anderen Konto verbunden.',
    confirm: 'Passkey verwenden',
    messages: {
      saved: 'Gespeichert. Es gilt ab der nächsten Aktion der App.',
      signInAgain:
        'Es wurde nichts geändert: Die App bekäme damit mehr, und Ihre Anmeldung ist eine Weile her. Bestätigen Sie mit einem Passkey, dass Sie es sind, und ändern Sie es dann noch einmal.',
      credits:
        'Es wurde nichts geändert. Geben Sie eine ganze Zahl von 0 bis 1.000.000 ein, oder nichts.',
      end: 'Es wurde nichts geändert. Wählen Sie einen Tag von heute bis in zehn Jahren, oder keinen.',
      refused: 'Es wurde nichts geändert, weil sich das für diese App nicht einstellen lässt.',
      tooMany:
        'Es wurde nichts geändert, weil es zu viele Änderungen waren. Versuchen Sie es in einer Minute noch einmal.',
    },
  },
  refused: {
    heading: 'Sie können {app} nicht mit diesem Konto verbinden',
    back: 'Zurück zur App',
    next: 'Die App erhält keinen Zugriff. Wenn Sie das für falsch halten, fragen Sie eine Administratorin oder einen Administrator dieses Dienstes.',
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
  script: {
    signingIn: 'Warten auf Ihren Passkey …',
    creating:
      'Ihr Konto wird erstellt. Ihr Gerät fragt Sie, ob Sie einen Passkey sichern möchten …',
    cancel: 'Abbrechen',
    done: 'Angemeldet. Einen Moment …',
    copied: 'Link kopiert.',
    copyYourself: 'Drücken Sie jetzt die Tasten zum Kopieren: Der Link ist markiert.',
    cancelledSignIn:
      'Abgebrochen oder Zeit abgelaufen. Es hat sich nichts geändert. Versuchen Sie es noch einmal, oder erstellen Sie ein Konto, falls Sie hier noch keinen Passkey haben.',
    cancelledSignInOnly:
      'Abgebrochen oder Zeit abgelaufen. Es hat sich nichts geändert. Sie können es noch einmal versuchen.',
    cancelledSignUp:
      'Abgebrochen oder Zeit abgelaufen. Es wurde kein Konto erstellt. Sie können es noch einmal versuchen.',
    seenHere:
      'In diesem Browser war schon jemand angemeldet. Wenn Sie das waren, verwenden Sie wieder denselben Passkey.',
    cancelledSwitch:
      'Abgebrochen oder Zeit abgelaufen. Sie sind weiter angemeldet wie zuvor. Um ein Konto zu verwenden, das Sie noch nicht haben, melden Sie sich zuerst ab.',
    cancelledSwitchOnly: 'Abgebrochen oder Zeit abgelaufen. Sie sind weiter angemeldet wie zuvor.',
    notAtHandOnly:
      'Es wurde kein Passkey verwendet. Wenn Ihrer auf einem Smartphone oder Sicherheitsschlüssel ist, klicken Sie noch einmal auf die Schaltfläche.',
    notAtHand:
      'Es wurde kein Passkey verwendet. Wenn Ihrer auf einem Smartphone oder Sicherheitsschlüssel ist, klicken Sie noch einmal auf die Schaltfläche. Wenn Sie hier noch keinen haben, erstellen Sie ein Konto.',
    signedInAlready:
      'Sie sind hier schon angemeldet, vielleicht in einem anderen Tab. Laden Sie diese Seite neu, um fortzufahren.',
    otherAddress:
      'Der Dienst hat eine andere Adresse als diese Seite. Öffnen Sie die Seite noch einmal aus der App; wenn das nicht hilft, sagen Sie den Betreibern des Dienstes Bescheid.',
    unknownPasskey:
      'Dieser Passkey ist hier nicht registriert. Verwenden Sie einen anderen, oder erstellen Sie ein Konto.',
    unknownPasskeyOnly: 'Dieser Passkey ist hier nicht registriert. Verwenden Sie einen anderen.',
    alreadyHere:
      'Auf diesem Gerät gibt es schon einen Passkey für Sie. Melden Sie sich stattdessen damit an.',
    wrongPlace:
      'Passkeys funktionieren unter dieser Adresse nicht. Öffnen Sie die Seite noch einmal aus der App.',
    cannotKeep:
      'Dieses Gerät oder dieser Sicherheitsschlüssel kann den Passkey nicht aufbewahren: Vielleicht ist kein Platz mehr, oder es fehlt noch eine PIN. Legen Sie eine PIN fest, oder verwenden Sie ein anderes Gerät.',
    notSupported:
      'Dieses Gerät oder dieser Sicherheitsschlüssel beherrscht diese Art von Passkey nicht. Verwenden Sie ein anderes Gerät.',
    offline:
      'Der Dienst ist nicht erreichbar. Prüfen Sie Ihre Verbindung und versuchen Sie es noch einmal.',
    tooMany: 'Zu viele Versuche. Versuchen Sie es {when} noch einmal.',
    unavailable: 'Der Dienst ist zurzeit nicht verfügbar. Versuchen Sie es {when} noch einmal.',
    expired: 'Das hat zu lange gedauert. Bitte versuchen Sie es noch einmal.',
    refused: 'Das hat nicht geklappt: {reason}.',
    nameRefused: '„Ihr Name“ {fault}.',
    failed:
      'Etwas ist schiefgegangen, und es hat sich nichts geändert. Bitte versuchen Sie es noch einmal.',
    failedThere:
      'Beim Dienst ist etwas schiefgegangen. Bitte versuchen Sie es noch einmal. Wenn es wieder passiert, nennen Sie den Betreibern diese Nummer: {request}.',
    soon: 'gleich',
    answering: 'Ihre Antwort wird gesendet …',
    answered:
      'Antwort gesendet. Wenn die App nicht von selbst erscheint, wechseln Sie zu ihr zurück.',
    answeredApp:
      'Die Antwort ging an die App. Sie können diese Seite schließen. Wenn die App nicht von selbst erscheint, wechseln Sie zu ihr zurück.',
    blocked:
      'Ihr Browser hat den Weg zurück zur App gesperrt. Gehen Sie zurück zur App und verbinden Sie sie noch einmal, oder sagen Sie ihren Herstellern Bescheid.',
    reasons: {
      'is empty; enter 1 to 40 characters': 'ist leer; nötig sind 1 bis 40 Zeichen',
      'is too long; enter 1 to 40 characters': 'ist zu lang; möglich sind 1 bis 40 Zeichen',
      'has an invisible character, {character}, at position {position}; delete it, or type the name again':
        'enthält an Stelle {position} ein unsichtbares Zeichen ({character}); löschen Sie es, oder tippen Sie den Namen neu',
      'has a control character, {character}, at position {position}; delete it, or type the name again':
        'enthält an Stelle {position} ein Steuerzeichen ({character}); löschen Sie es, oder tippen Sie den Namen neu',
      'has an incomplete character, {character}, at position {position}; delete it, or type the name again':
        'enthält an Stelle {position} ein halbes Zeichen ({character}); löschen Sie es, oder tippen Sie den Namen neu',
      'the passkey could not be verified: it did not verify that it was you; set up a PIN, fingerprint or face for it':
        'Der Passkey hat nicht geprüft, ob Sie es sind; richten Sie dafür PIN, Fingerabdruck oder Gesicht ein',
      'the passkey could not be verified: it did not detect anyone present; try again and touch it':
        'Der Passkey hat niemanden bemerkt; versuchen Sie es noch einmal und berühren Sie ihn',
      'the passkey could not be verified: its use counter started over, so it may be a copy; use another passkey or a recovery code, or ask an administrator of this service for a recovery link':
        'Der Zähler dieses Passkeys hat neu begonnen, er könnte also eine Kopie sein; verwenden Sie einen anderen Passkey oder einen Wiederherstellungscode, oder bitten Sie die Betreiber dieses Dienstes um einen Wiederherstellungslink',
      'the passkey could not be verified: it answered for another site; reload this page and try again':
        'Der Passkey hat für eine andere Website geantwortet; öffnen Sie diese Seite neu und versuchen Sie es noch einmal',
      'the passkey could not be verified: its type of key is not supported; use another passkey':
        'Diese Art von Schlüssel wird nicht unterstützt; verwenden Sie einen anderen Passkey',
      'the passkey could not be verified: its answer is not valid; try again, or use another passkey':
        'Der Passkey konnte nicht geprüft werden; versuchen Sie es noch einmal, oder verwenden Sie einen anderen',
      'this account is disabled; contact an administrator of this service':
        'Dieses Konto ist gesperrt; fragen Sie die Betreiber dieses Dienstes',
      'this service is not accepting new accounts; contact an administrator of this service':
        'Hier werden keine neuen Konten angelegt; fragen Sie die Betreiber dieses Dienstes',
      'you need an invitation code to create an account; ask an administrator of this service for one':
        'Ein neues Konto braucht hier einen Einladungscode; fragen Sie die Betreiber dieses Dienstes danach',
      'this invitation code is wrong, already used or expired; ask the person who invited you for another one':
        'Dieser Einladungscode ist falsch, abgelaufen oder schon verwendet; bitten Sie um einen neuen',
      'this passkey belongs to another account; use another one':
        'Dieser Passkey gehört zu einem anderen Konto; verwenden Sie einen anderen',
      'this passkey is already registered; sign in with it, or use another one':
        'Dieser Passkey ist schon registriert; melden Sie sich damit an, oder verwenden Sie einen anderen',
      'this account has 20 passkeys already, which is the maximum; remove one to add another':
        'Dieses Konto hat schon 20 Passkeys, mehr sind nicht möglich; entfernen Sie erst einen anderen',
      'the passkey did not confirm this; try again, with a passkey of your account':
        'Der Passkey hat das nicht bestätigt; versuchen Sie es noch einmal, mit einem Passkey Ihres Kontos',
      'this was answered, or waited longer than 10 minutes; the app can ask again':
        'Das wurde schon beantwortet oder hat länger als 10 Minuten gewartet; die App kann noch einmal fragen',
      'this needs a yes each time; allow it once':
        'Das braucht jedes Mal ein Ja; erlauben Sie es einmal',
      'this has to be confirmed with a passkey, and your account has none for this site; add one first':
        'Das muss mit einem Passkey bestätigt werden, und Ihr Konto hat hier keinen; fügen Sie erst einen hinzu',
      'sign in again to add a passkey':
        'Um einen Passkey hinzuzufügen, melden Sie sich noch einmal an',
      'the passkey could not be verified: it answered a different kind of request; try again':
        'Der Passkey hat auf etwas anderes geantwortet; versuchen Sie es noch einmal',
      'the passkey could not be verified: its attestation is not accepted; use another passkey':
        'Die Herkunft des Passkeys wird nicht anerkannt; verwenden Sie einen anderen',
      'the passkey could not be verified: its backup status changed, so it may not be the same; use another passkey or a recovery code, or ask an administrator of this service for a recovery link':
        'Was dieser Passkey über seine Sicherung sagt, hat sich geändert, er ist also vielleicht nicht mehr derselbe; verwenden Sie einen anderen Passkey oder einen Wiederherstellungscode, oder bitten Sie die Betreiber dieses Dienstes um einen Wiederherstellungslink',
      'the passkey could not be verified: its backup status is not valid; use another passkey':
        'Was der Passkey über seine Sicherung sagt, passt nicht zusammen; verwenden Sie einen anderen',
      'the passkey could not be verified: its signature is not valid; use another passkey':
        'Die Unterschrift des Passkeys stimmt nicht; verwenden Sie einen anderen',
      'the passkey could not be verified: it was used twice at the same time; try again':
        'Der Passkey wurde zweimal im selben Augenblick verwendet; versuchen Sie es noch einmal',
      'the passkey id is malformed; try again, or use another passkey':
        'Der Passkey hat eine ungültige Kennung; versuchen Sie es noch einmal, oder verwenden Sie einen anderen',
    },
    signedOut: 'Sie sind abgemeldet.',
  },
};
