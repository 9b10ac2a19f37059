import type { sessions as english } from '../en/sessions.js';

export const sessions: typeof english = {
  heading: 'היכן החשבון מחובר',
  about: 'משהו כאן לא מוכר לך? כדאי לנתק אותו ולעבור על מפתחות הגישה שלך.',
  current: 'הדפדפן הזה',
  end: 'ניתוק',
  endOthers: 'ניתוק בכל מקום אחר',
  script: {
    unknownBrowser: 'דפדפן לא מוכר',
    activeNow: 'פעיל עכשיו',
    seen: 'נראה לאחרונה {when}',
    since: 'כניסה {when}',
    endOne: 'ניתוק {name}',
    endTitle: 'לנתק את {name}?',
    endText: 'נראה לאחרונה {when}. דפי האתר שפתוחים שם ינותקו מיד.',
    endAct: 'ניתוק',
    doneEnd: 'החיבור שם נותק.',
    othersTitle: 'לנתק בכל מקום אחר?',
    othersText: 'החשבון יישאר מחובר רק כאן. מפתחות הגישה והיישומים המחוברים לא ישתנו.',
    othersAct: 'ניתוק בכל מקום אחר',
    doneOthers: 'החשבון נותק בכל מקום אחר.',
  },
};
