import { counted } from '#libs/ui-templates';

/** The page for whoever has no passkey any more. */
export const recover = {
  title: 'Recover your account',
  about:
    'For when all your passkeys are lost. A code lets you in once; then add a new passkey right away.',
  signedIn:
    'You are signed in here as {user}. A code signs you in to the account that it is of, and out of this one. To add a passkey to this one you need no code: {account}.',
  account: 'go to your account',
  label: 'Recovery code',
  hint: 'One of the codes that you saved, such as {example}, or one that whoever runs this service gave you. Small letters, spaces and dashes make no difference.',
  act: 'Recover account',
  noneHeading: 'No code left?',
  none: 'Whoever runs this service can send you a link that is good for 24 hours. Before that they should make sure that it is you.',
  signInHeading: 'Found a passkey?',
  signIn: 'Sign in with it instead',
  noScript: 'This page needs JavaScript. Allow it for this page, then load the page again.',
  script: {
    fromLink: 'The code of your link is filled in. Press “Recover account” to use it.',
    working: 'One moment…',
    done: 'You are in. One moment…',
    empty: 'Type a recovery code.',
    incomplete: counted({
      one: 'This is not a whole code: it has {n} letter or digit. A saved code has 24, one from a link 32.',
      other:
        'This is not a whole code: it has {n} letters and digits. A saved code has 24, one from a link 32.',
    }),
    wrong:
      'This code does not let you in: it is mistyped, was used already, was replaced by newer codes, or has expired. Compare it, or try another one.',
    disabled:
      'This account is disabled, so the code was not used up. Ask whoever runs this service.',
    offline:
      'The service could not be reached. Check your connection and try again; if the code then counts as used, try the next one.',
  },
};
