import type { signedOut as english } from '../en/signed-out.js';

export const signedOut: typeof english = {
  heading: 'החשבון שלך ב־{service}',
  lostHeading: 'מפתחות הגישה שלך אבדו?',
  lost: 'קוד שחזור, או קישור ממפעילי השירות, מאפשר לך להיכנס ולהוסיף מפתח גישה חדש.',
  recover: 'שחזור החשבון',
  script: {
    wrongPlace: 'מפתחות גישה לא פועלים בכתובת הזאת. אפשר לברר את שם השירות אצל מפעיליו.',
    otherAddress:
      'השירות נמצא בכתובת אחרת מזו של הדף. כדאי לטעון את הדף מחדש; אם זה לא עוזר, יש להודיע למפעילי השירות.',
  },
};
