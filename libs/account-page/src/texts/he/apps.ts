import type { apps as english } from '../en/apps.js';

export const apps: typeof english = {
  heading: 'יישומים מחוברים',
  about: 'אלה שקיבלו ממך רשות להשתמש בחשבון. כדי לחבר יישום יש לתת לו את הכתובת: {address}',
  none: 'אין יישומים מחוברים.',
  disconnect: 'ניתוק',
  may: 'מותר לו',
  script: {
    published: 'פורסם על ידי {host}',
    unverified: 'השם לא אומת, מחזיר אל {host}',
    unverifiedApp: 'השם לא אומת, פותח יישום במכשיר',
    connected: 'חובר {when}',
    used: 'שימוש אחרון {when}',
    unused: 'עדיין לא נעשה בו שימוש',
    moment: 'ב־{moment}',
    disconnectOne: 'ניתוק {name}, חובר {when}',
    askTitle: 'לנתק את {name}?',
    askText: 'מרגע זה הוא לא יוכל לעשות דבר בחשבון שלך. אפשר לחבר אותו שוב, מתוך היישום.',
    askAct: 'ניתוק',
    done: 'היישום נותק.',
  },
};
