import type { overview as english } from '../en/overview.js';

export const overview: typeof english = {
  sections: 'בדף הזה',
  script: {
    passkeys: { one: 'מפתח גישה אחד', two: 'שני מפתחות גישה', other: '{n} מפתחות גישה' },
    codes: { one: 'קוד שחזור אחד', two: 'שני קודי שחזור', other: '{n} קודי שחזור' },
    noCodes: 'אין קודי שחזור',
    apps: { one: 'יישום אחד', two: 'שני יישומים', other: '{n} יישומים' },
    noApps: 'אין יישומים',
  },
};
