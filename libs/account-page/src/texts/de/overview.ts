import type { overview as english } from '../en/overview.js';

export const overview: typeof english = {
  sections: 'Auf dieser Seite',
  script: {
    passkeys: { one: '{n} Passkey', other: '{n} Passkeys' },
    codes: { one: '{n} Wiederherstellungs\u00adcode', other: '{n} Wiederherstellungs\u00adcodes' },
    noCodes: 'keine Wiederherstellungs\u00adcodes',
    apps: { one: '{n} App', other: '{n} Apps' },
    noApps: 'keine Apps',
  },
};
