export const deletion = {
  heading: 'Delete account',
  about:
    'Your name, passkeys, connected apps and credits are deleted at once, and nobody can bring them back.',
  button: 'Delete account…',
  doneHeading: 'Your account is deleted',
  done: 'Everything that belonged to it is gone, and you are signed out everywhere. Your passkey manager may still show its passkeys; delete them there.',
  goOn: 'Go to the sign-in page',
  script: {
    title: 'Delete your account?',
    text: 'Name, passkeys, sessions, connected apps and credits are deleted at once. Nobody can bring them back, not even whoever runs this service.',
    label: 'Type “{word}” to go on',
    word: 'delete',
    wordFault: 'Type the word “{word}” to delete the account, or cancel.',
    act: 'Delete account for good',
  },
};
