export const page = {
  title: 'Your account',
  signOut: 'Sign out',
  tryAgain: 'Try again',
  loading: 'Loading…',
  cancel: 'Cancel',
  noScript: 'This page needs JavaScript. Turn it on for this page, then reload the page.',
  script: {
    notLoaded: 'This couldn’t be loaded.',
    working: 'One moment…',
    signedOut: 'You’ve been signed out, so nothing was changed. Reload this page to sign in again.',
    otherAccount:
      'This browser is now signed in to another account, so nothing was changed. Reload this page to see that account.',
    notSignedInAgain: 'You didn’t confirm it’s you, so nothing was changed.',
    justNow: 'just now',
    onDate: 'on {date}',
    atTime: '{day} at {time}',
    both: '{first}, {second}',
    browser: '{browser} on {system}',
  },
};
