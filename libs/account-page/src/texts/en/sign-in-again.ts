/** For what a session that began long ago may not do. */
export const signInAgain = {
  script: {
    title: 'Confirm that it is you',
    text: 'This needs a fresh sign-in, and yours was a while ago. Use a passkey of this account; then it goes on by itself.',
    act: 'Use a passkey',
    waiting: 'Waiting for your passkey…',
    cancelled: 'Cancelled or timed out. Nothing was changed. You can try again.',
    otherAccount:
      'That passkey is of another account, so it was not used. Use one of this account.',
  },
};
