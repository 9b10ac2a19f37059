import type { recoveryCodes as english } from '../en/recovery-codes.js';

export const recoveryCodes: typeof english = {
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
};
