export const deletion = {
  heading: 'Delete account',
  about:
    'Your name, passkeys, connected apps and credits will be deleted immediately. This can’t be undone.',
  button: 'Delete account…',
  doneHeading: 'Your account has been deleted',
  done: 'Your data has been deleted and you’ve been signed out everywhere. If your passkey manager still shows your passkeys, delete them there too.',
  goOn: 'Go to the sign-in page',
  script: {
    title: 'Delete your account?',
    text: 'Your name, passkeys, sessions, connected apps and credits will be deleted immediately. This can’t be undone, not even by an administrator.',
    label: 'Type “{word}” to confirm',
    word: 'delete',
    wordFault: 'Type “{word}” to delete your account, or cancel.',
    act: 'Delete account permanently',
  },
};
