export const page = {
  title: 'Your account',
  signOut: 'Sign out',
  tryAgain: 'Try again',
  loading: 'Loading…',
  noScript: 'This page needs JavaScript. Allow it for this page, then load the page again.',
  script: {
    notLoaded: 'This could not be loaded.',
    signingOut: 'Signing out…',
  },
};
