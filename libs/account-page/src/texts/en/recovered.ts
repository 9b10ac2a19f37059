/** For people who signed in with a recovery code or link. */
export const recovered = {
  heading: 'Add a passkey now',
  about:
    'You signed in with a recovery code or link, which won’t work again. Without a passkey, you’ll need another one the next time you sign in.',
  act: 'Add a passkey',
  doneHeading: 'Your new passkey is ready',
  done: 'Remove the passkeys you lost, so that anyone who finds them can’t sign in. If someone else may have your recovery codes, create new ones.',
  passkeys: 'Review your passkeys',
  codes: 'Go to recovery codes',
};
