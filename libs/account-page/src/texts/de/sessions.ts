import type { sessions as english } from '../en/sessions.js';

export const sessions: typeof english = {
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
};
