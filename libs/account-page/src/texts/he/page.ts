import type { page as english } from '../en/page.js';

export const page: typeof english = {
  title: 'החשבון שלך',
  signOut: 'יציאה',
  tryAgain: 'ניסיון נוסף',
  loading: 'טוען…',
  cancel: 'ביטול',
  noScript: 'לדף הזה נדרש JavaScript. יש לאפשר אותו בדף הזה ואז לטעון את הדף מחדש.',
  script: {
    notLoaded: 'לא ניתן היה לטעון את זה.',
    working: 'רק רגע…',
    signedOut: 'כבר אין כאן חשבון מחובר, ולכן דבר לא השתנה. כדי להיכנס יש לטעון את הדף מחדש.',
    otherAccount:
      'בינתיים נכנסו כאן לחשבון אחר, ולכן דבר לא השתנה. כדי לראות אותו יש לטעון את הדף מחדש.',
    notSignedInAgain: 'הכניסה לא אומתה מחדש, ולכן דבר לא השתנה.',
    justNow: 'לפני רגע',
    onDate: 'ב־{date}',
    atTime: '{day} בשעה {time}',
    both: '{first}, {second}',
    browser: '{browser} ב־{system}',
  },
};
