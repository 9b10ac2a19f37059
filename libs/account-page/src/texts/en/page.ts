export const page = {
  title: 'Your account',
  signOut: 'Sign out',
  tryAgain: 'Try again',
  loading: 'Loading…',
  cancel: 'Cancel',
  noScript: 'This page needs JavaScript. Allow it for this page, then load the page again.',
  script: {
    notLoaded: 'This could not be loaded.',
    working: 'One moment…',
    signedOut:
      'You are not signed in here any more, so nothing was changed. Load this page again to sign in.',
    otherAccount:
      'Another account is signed in here by now, so nothing was changed. Load this page again to see it.',
    notSignedInAgain: 'You did not sign in again, so nothing was changed.',
    justNow: 'just now',
    onDate: 'on {date}',
    atTime: '{day} at {time}',
    both: '{first}, {second}',
    browser: '{browser} on {system}',
  },
};
