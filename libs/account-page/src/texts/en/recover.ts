import { counted } from '#libs/ui-templates';

/** The page for people who have lost all their passkeys. */
export const recover = {
  title: 'Recover your account',
  about:
    'If you’ve lost all your passkeys, sign in with a recovery code. Each code works once, so add a new passkey right after you sign in.',
  signedIn:
    'You’re signed in as {user}. If you use a code, you’ll be signed out of this account and signed in to the account the code is for. You don’t need a code to add a passkey to this account: {account}.',
  account: 'go to your account',
  label: 'Recovery code',
  hint: 'Enter a code you saved, such as {example}, or one that an administrator gave you. Capitalization, spaces and dashes don’t matter.',
  act: 'Recover account',
  noneHeading: 'No codes left?',
  none: 'An administrator of this service can send you a recovery link that works for 24 hours. They should check that it’s really you first.',
  signInHeading: 'Found your passkey?',
  signIn: 'Sign in with a passkey instead',
  noScript: 'This page needs JavaScript. Turn it on for this page, then reload the page.',
  script: {
    fromLink: 'The code from your link is filled in. Select “Recover account” to use it.',
    working: 'One moment…',
    done: 'You’re signed in. One moment…',
    empty: 'Enter a recovery code.',
    incomplete: counted({
      one: 'This isn’t a complete code: it has {n} letter or digit. A saved code has 24, and one from a link has 32.',
      other:
        'This isn’t a complete code: it has {n} letters and digits. A saved code has 24, and one from a link has 32.',
    }),
    wrong:
      'This code doesn’t work. It may be mistyped, expired, already used or replaced by newer codes. Check it, or try another one.',
    disabled:
      'This account is disabled. The code hasn’t been used up. Contact an administrator of this service.',
    offline:
      'Couldn’t reach the service. Check your connection and try again. If you’re then told that the code was already used, try the next one.',
  },
};
