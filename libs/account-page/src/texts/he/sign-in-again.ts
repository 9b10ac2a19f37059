import type { signInAgain as english } from '../en/sign-in-again.js';

export const signInAgain: typeof english = {
  script: {
    title: 'נא לאמת שזה החשבון שלך',
    text: 'לזה נדרשת כניסה מהזמן האחרון, ומאז הכניסה שלך עבר זמן מה. יש להשתמש במפתח גישה של החשבון הזה, וההמשך יקרה מעצמו.',
    act: 'שימוש במפתח גישה',
    waiting: 'ממתין למפתח הגישה שלך…',
    cancelled: 'הפעולה בוטלה או שהזמן עבר. דבר לא השתנה. אפשר לנסות שוב.',
    otherAccount:
      'מפתח הגישה הזה שייך לחשבון אחר, ולכן לא נעשה בו שימוש. יש לבחור מפתח של החשבון הזה.',
  },
};
