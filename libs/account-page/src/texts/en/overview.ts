import { counted } from '#libs/ui-templates';

/** What stands on top: what the account has, in one line, and the way to each section. */
export const overview = {
  sections: 'On this page',
  script: {
    passkeys: counted({ one: '{n} passkey', other: '{n} passkeys' }),
    codes: counted({ one: '{n} recovery code', other: '{n} recovery codes' }),
    noCodes: 'no recovery codes',
    apps: counted({ one: '{n} app', other: '{n} apps' }),
    noApps: 'no apps',
  },
};
