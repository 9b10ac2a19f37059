/** Before changes that need a recent sign-in. */
export const signInAgain = {
  script: {
    title: 'Confirm it’s you',
    text: 'It’s been a while since you signed in. To continue, use a passkey for this account.',
    act: 'Use a passkey',
    waiting: 'Waiting for your passkey…',
    cancelled: 'Canceled or timed out. Nothing was changed. You can try again.',
    otherAccount:
      'That passkey is for another account, so it wasn’t used. Use a passkey for this account.',
  },
};
