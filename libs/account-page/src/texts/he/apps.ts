import type { apps as english } from '../en/apps.js';

export const apps: typeof english = {
  heading: 'אפליקציות מחוברות',
  about: 'מי שקיבלו ממך רשות להשתמש בחשבון. כדי לחבר אפליקציה יש לתת לה את הכתובת: {address}',
  none: 'אין אפליקציות מחוברות.',
  disconnect: 'ניתוק',
  may: 'מותר לה',
  script: {
    published: 'פורסמה על ידי {host}',
    unverified: 'שם לא מאומת, מחזירה אל {host}',
    unverifiedApp: 'שם לא מאומת, פותחת אפליקציה במכשיר',
    connected: 'חוברה {when}',
    used: 'שימוש אחרון {when}',
    unused: 'עדיין לא נעשה בה שימוש',
    moment: 'ב־{moment}',
    disconnectOne: 'ניתוק {name}, חוברה {when}',
    askTitle: 'לנתק את {name}?',
    askText: 'מרגע זה היא לא תוכל לעשות דבר בחשבון שלך. אפשר לחבר אותה שוב, מתוך האפליקציה.',
    askAct: 'ניתוק',
    done: 'האפליקציה נותקה.',
  },
};
