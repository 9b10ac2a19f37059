import type { sessionOver as english } from '../en/session-over.js';

export const sessionOver: typeof english = {
  script: {
    title: 'החשבון כבר לא מחובר כאן',
    act: 'אל דף הכניסה',
    otherTitle: 'חשבון אחר מחובר כאן',
    otherAct: 'טעינת הדף מחדש',
  },
};
