import type { profile as english } from '../en/profile.js';

export const profile: typeof english = {
  rename: 'שינוי שם',
  script: {
    title: 'שינוי השם שלך',
    text: 'השם מוצג במפתחות הגישה וביישומים המחוברים שלך. יש מנהלי מפתחות גישה ששומרים את השם הישן.',
    label: 'השם שלך',
    hint: '1 עד 40 תווים.',
    act: 'שמירה',
    fault: 'השם שלך {fault}.',
    done: 'השם שלך השתנה.',
  },
};
