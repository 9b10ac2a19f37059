/** For whoever came in by a recovery. */
export const recovered = {
  heading: 'Add a passkey now',
  about:
    'You came back by a recovery code or link, which is used up now. Without a passkey you need another one the next time you sign in.',
  act: 'Add a passkey',
  doneHeading: 'Your new passkey is in place',
  done: 'Remove the passkeys that you lost, so that nobody who finds them gets in. If somebody else may know your recovery codes, create new ones.',
  passkeys: 'Look through your passkeys',
  codes: 'Go to recovery codes',
};
