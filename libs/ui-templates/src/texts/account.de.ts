import type { AccountTexts } from './account.en.js';

export const germanAccountTexts: AccountTexts = {
  activity: {
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
        'managed-access-granted': '{app} von Ihrer Organisation verbunden',
        'app-disconnected': '{app} getrennt',
        'connection-changed': '{app}: Einstellungen geändert',
        'request-approved': '{app}: Anfrage erlaubt',
        'request-refused': '{app}: Anfrage abgelehnt',
        'token-replayed': 'Zugriff von {app} beendet',
        'signature-counter-reversed': 'Ein Passkey, der eine Kopie sein könnte, wurde abgewiesen',
        'backup-eligibility-changed': 'Ein Passkey, der sich verändert hat, wurde abgewiesen',
        'recovery-link-created': 'Wiederherstellungslink für Sie erstellt',
        'recovery-link-revoked': 'Wiederherstellungslink widerrufen',
        'user-signed-out': 'Überall abgemeldet',
        'user-disabled': 'Konto gesperrt',
        'user-enabled': 'Konto entsperrt',
        'identity-linked': 'Mit einer Identität bei einem anderen Anbieter verknüpft',
        'identity-unlinked': 'Verknüpfung mit einem anderen Anbieter gelöst',
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
  },
  apps: {
    heading: 'Verbundene Apps',
    about:
      'Apps, denen Sie erlaubt haben, Ihr Konto zu verwenden. Um eine App zu verbinden, geben Sie ihr diese Adresse: {address}',
    none: 'Keine App ist verbunden.',
    disconnect: 'Trennen',
    manage: 'Verwalten',
    paused: 'Angehalten',
    resource: 'Für {name}',
    may: 'Sie darf',
    script: {
      published: 'Veröffentlicht von {host}',
      unverified: 'Name nicht geprüft, führt zurück zu {host}',
      unverifiedApp: 'Name nicht geprüft, öffnet eine App auf dem Gerät',
      managed: 'Verwaltet von {name}',
      connected: '{when} verbunden',
      used: 'zuletzt {when} verwendet',
      unused: 'noch nicht verwendet',
      moment: 'am {moment}',
      manageOne: '{name} verwalten, {when} verbunden',
      asks: '{permission} (fragt Sie vorher)',
      disconnectOne: '{name} trennen, {when} verbunden',
      askTitle: '{name} trennen?',
      askText:
        'Die App kann dann in Ihrem Konto nichts mehr tun. Sie können sie von der App aus wieder verbinden.',
      askTextManaged:
        'Sie kann dann sofort nicht mehr auf Ihr Konto zugreifen. {name} kann sie wieder verbinden.',
      askAct: 'Trennen',
      done: 'Getrennt.',
    },
  },
  budget: {
    heading: 'Credits heute',
    about:
      'Verbundene Apps verbrauchen Credits, wenn sie Code ausführen oder Inhalte prüfen lassen.',
    script: {
      left: '{left} von {limit} Credits übrig',
      renews: 'Neue Credits {when}',
      unknown:
        'Ihre Credits lassen sich gerade nicht anzeigen. Sie sind nicht verloren; sehen Sie in einer Minute noch einmal nach.',
    },
  },
  deletion: {
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
  },
  export: {
    heading: 'Ihre Daten',
    about: 'Alles, was zu Ihrem Konto gespeichert ist, in einer JSON-Datei.',
    button: 'Meine Daten herunterladen',
    script: {
      working: 'Ihre Daten werden zusammengestellt …',
      done: 'Ihre Daten sind heruntergeladen.',
    },
  },
  overview: {
    sections: 'Auf dieser Seite',
    script: {
      passkeys: { one: '{n} Passkey', other: '{n} Passkeys' },
      codes: {
        one: '{n} Wiederherstellungs\u00adcode',
        other: '{n} Wiederherstellungs\u00adcodes',
      },
      noCodes: 'keine Wiederherstellungs\u00adcodes',
      apps: { one: '{n} App', other: '{n} Apps' },
      noApps: 'keine Apps',
    },
  },
  page: {
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
      notSignedInAgain:
        'Sie haben sich nicht noch einmal angemeldet, deshalb wurde nichts geändert.',
      justNow: 'gerade eben',
      onDate: 'am {date}',
      atTime: '{day} um {time}',
      both: '{first}, {second}',
      browser: '{browser} auf {system}',
    },
  },
  passkeys: {
    heading: 'Passkeys',
    about:
      'Womit Sie sich anmelden, entsperrt mit Gesicht, Fingerabdruck oder PIN. Ein Passwort gibt es nicht.',
    current: 'Für diese Anmeldung verwendet',
    rename: 'Umbenennen',
    remove: 'Entfernen',
    add: 'Passkey hinzufügen',
    addHint:
      'Ihr Browser fragt, wo er aufbewahrt werden soll: auf diesem Gerät, auf einem Smartphone oder Tablet in der Nähe oder auf einem Sicherheitsschlüssel.',
    codes: 'Zu den Wiederherstellungs\u00adcodes',
    loss: 'Wenn Sie Ihren Passkey verlieren',
    script: {
      unnamed: 'Passkey',
      synced: 'zwischen Ihren Geräten synchronisiert',
      notSynced: 'nur auf einem Gerät',
      added: '{when} hinzugefügt',
      used: 'zuletzt {when} verwendet',
      unused: 'noch nicht zum Anmelden verwendet',
      renameOne: '{name} umbenennen',
      removeOne: '{name} entfernen',
      lossSynced:
        'Sie haben einen Passkey, und er ist synchronisiert: Er kommt auf neue Geräte mit, die denselben Passkey-Manager verwenden. Wenn Sie diesen Passkey-Manager verlieren, können Sie sich nicht mehr anmelden. Es gibt weder ein Passwort noch eine E-Mail, die dann helfen.',
      lossOneDevice:
        'Ihr einziger Passkey ist auf einem einzigen Gerät. Wenn es verloren oder kaputt geht, können Sie sich nicht mehr anmelden. Es gibt weder ein Passwort noch eine E-Mail, die dann helfen.',
      lossUnknown:
        'Sie haben einen Passkey. Wenn Sie ihn verlieren, können Sie sich nicht mehr anmelden. Es gibt weder ein Passwort noch eine E-Mail, die dann helfen.',
      lossAdvice:
        'Fügen Sie an einem anderen Ort einen zweiten Passkey hinzu, und bewahren Sie Wiederherstellungscodes auf.',
      lossAdvicePasskey: 'Fügen Sie an einem anderen Ort einen zweiten Passkey hinzu.',
      lossCodes:
        'Sie haben einen Passkey. Wenn Sie ihn verlieren, kommen Sie mit einem Wiederherstellungscode hinein, um einen neuen hinzuzufügen: {left}.',
      codesLeft: { one: '{n} Code ist übrig', other: '{n} Codes sind übrig' },
      adding: 'Ihr Gerät fragt, ob Sie einen Passkey sichern möchten …',
      doneAdd: 'Passkey hinzugefügt. Benennen Sie ihn um, damit Sie ihn wiedererkennen.',
      cancelledAdd:
        'Abgebrochen oder Zeit abgelaufen. Es wurde kein Passkey hinzugefügt. Sie können es noch einmal versuchen.',
      alreadyThere:
        'An diesem Ort gibt es schon einen Passkey dieses Kontos. Wählen Sie ein anderes Gerät, einen anderen Passkey-Manager oder Sicherheitsschlüssel.',
      renameTitle: 'Passkey umbenennen',
      renameText: 'Ein Name, der Ihnen sagt, wo dieser Passkey ist, zum Beispiel „Laptop im Büro“.',
      renameLabel: 'Name',
      renameHint: '1 bis 40 Zeichen.',
      renameAct: 'Speichern',
      renameFault: 'Der Name {fault}.',
      doneRename: 'Passkey umbenannt.',
      removeTitle: '{name} entfernen?',
      removeText:
        'Sie können sich dann nicht mehr damit anmelden, und wo Sie damit angemeldet sind, werden Sie abgemeldet, nur hier nicht. Ihr Passkey-Manager behält ihn vielleicht; löschen Sie ihn auch dort.',
      removeCurrentText:
        'Sie sind gerade damit angemeldet. Nach dieser Anmeldung können Sie ihn nicht mehr verwenden. Ihr Passkey-Manager behält ihn vielleicht; löschen Sie ihn auch dort.',
      removeAct: 'Passkey entfernen',
      doneRemove: 'Passkey entfernt.',
      lastTitle: 'Das ist Ihr letzter Passkey',
      lastText:
        'Er kann nicht entfernt werden, weil sich dann niemand mehr bei Ihrem Konto anmelden könnte. Fügen Sie erst einen anderen hinzu, und entfernen Sie dann diesen.',
      addNow: 'Passkey hinzufügen',
      lastNow:
        'Er ist inzwischen Ihr letzter Passkey, deshalb bleibt er. Fügen Sie erst einen anderen hinzu.',
      nameTitle: 'Passkey benennen',
      nameText:
        'Ihr neuer Passkey ist gespeichert. Geben Sie ihm einen Namen, an dem Sie ihn später wiedererkennen.',
      nameSkip: 'Überspringen',
      nameKey: 'Sicherheitsschlüssel',
      namePhone: 'Smartphone oder Tablet',
      doneNamed: 'Passkey hinzugefügt.',
    },
  },
  profile: {
    rename: 'Namen ändern',
    script: {
      title: 'Ihren Namen ändern',
      text: 'Ihre Passkeys und Ihre verbundenen Apps zeigen ihn an. Manche Passkey-Manager behalten den alten.',
      label: 'Ihr Name',
      hint: '1 bis 40 Zeichen.',
      act: 'Speichern',
      fault: 'Ihr Name {fault}.',
      done: 'Ihr Name ist geändert.',
    },
  },
  recover: {
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
  },
  recovered: {
    heading: 'Fügen Sie jetzt einen Passkey hinzu',
    about:
      'Sie sind mit einem Wiederherstellungscode oder einem Link zurückgekommen, der jetzt verbraucht ist. Ohne Passkey brauchen Sie bei der nächsten Anmeldung wieder einen.',
    act: 'Passkey hinzufügen',
    doneHeading: 'Ihr neuer Passkey ist da',
    done: 'Entfernen Sie die Passkeys, die Sie verloren haben, damit niemand hineinkommt, der sie findet. Wenn jemand anderes Ihre Wiederherstellungscodes kennen könnte, erstellen Sie neue.',
    passkeys: 'Ihre Passkeys durchsehen',
    codes: 'Zu den Wiederherstellungs\u00adcodes',
  },
  recoveryCodes: {
    heading: 'Wiederherstellungscodes',
    about:
      'Für den Tag, an dem alle Ihre Passkeys verloren sind: Mit einem Code kommen Sie einmal hinein, um einen neuen Passkey hinzuzufügen.',
    shownHeading: 'Ihre neuen Codes',
    shown:
      'Sie werden nur jetzt angezeigt. Mit jedem kommt man einmal hinein, ohne irgendetwas anderes. Bewahren Sie sie deshalb so auf, dass niemand sonst an sie herankommt: in einem Passwortmanager oder auf Papier, und nicht nur auf Ihrem Smartphone.',
    copy: 'Kopieren',
    download: 'Herunterladen',
    print: 'Drucken',
    done: 'Ich habe sie aufbewahrt',
    script: {
      none: 'Sie haben keine.',
      used: 'Alle sind verbraucht. Erstellen Sie neue.',
      ended:
        'Seit Sie Ihren ersten Passkey hinzugefügt haben, gelten sie nicht mehr. Erstellen Sie neue.',
      left: {
        one: '{n} von {all} ist übrig, {when} erstellt.',
        other: '{n} von {all} sind übrig, {when} erstellt.',
      },
      create: 'Wiederherstellungs\u00adcodes erstellen',
      createNew: 'Neue Codes erstellen',
      creating: 'Einen Moment …',
      askTitle: 'Neue Codes erstellen?',
      askText: 'Die alten gelten dann nicht mehr, wo auch immer Sie sie aufbewahren.',
      askAct: 'Neue Codes erstellen',
      copied: 'Kopiert.',
      copyFailed:
        'Der Browser hat das Kopieren nicht zugelassen. Die Codes sind markiert: Kopieren Sie sie mit der Tastatur.',
      owner: 'Wiederherstellungscodes von {name} bei {page}, erstellt am {date}.',
      fileName: 'wiederherstellungscodes-{host}.txt',
      file: '{owner}\nMit jedem kommt man einmal hinein, auf {page}/recover\n\n{codes}\n',
      address: 'Um einen Code zu verwenden, öffnen Sie {address}',
      leaveTitle: 'Abmelden, ohne die Codes aufzubewahren?',
      leaveText:
        'Die neuen Codes werden nur einmal angezeigt, und Sie haben sie weder kopiert noch heruntergeladen noch gedruckt.',
      leaveAct: 'Abmelden',
    },
  },
  requests: {
    heading: 'Wartet auf Ihre Antwort',
    answer: 'Ansehen',
    script: {
      what: '{app}: {title}',
      until: 'verfällt {when}',
      answerOne: '{what} ansehen',
    },
  },
  sessionOver: {
    script: {
      title: 'Sie sind abgemeldet',
      act: 'Zur Anmeldung',
      otherTitle: 'Ein anderes Konto ist angemeldet',
      otherAct: 'Seite neu laden',
    },
  },
  sessions: {
    heading: 'Wo Sie angemeldet sind',
    about: 'Wenn Sie etwas davon nicht kennen, melden Sie es ab und sehen Sie Ihre Passkeys durch.',
    current: 'Dieser Browser',
    end: 'Abmelden',
    endOthers: 'Überall sonst abmelden',
    script: {
      unknownBrowser: 'Unbekannter Browser',
      activeNow: 'Gerade aktiv',
      seen: 'Zuletzt {when} gesehen',
      since: '{when} angemeldet',
      endOne: '{name} abmelden',
      endTitle: '{name} abmelden?',
      endText:
        'Zuletzt {when} gesehen. Die Seiten, die dort von dieser Website offen sind, werden sofort abgemeldet.',
      endAct: 'Abmelden',
      doneEnd: 'Dort abgemeldet.',
      othersTitle: 'Überall sonst abmelden?',
      othersText:
        'Sie bleiben nur hier angemeldet. Ihre Passkeys und verbundenen Apps bleiben, wie sie sind.',
      othersAct: 'Überall sonst abmelden',
      doneOthers: 'Überall sonst abgemeldet.',
    },
  },
  signInAgain: {
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
  },
  signedOut: {
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
  },
};
