/** For a page whose account is not the one that is signed in any more; texts of `page` say what happened. */
export const sessionOver = {
  script: {
    title: 'You are signed out',
    act: 'Go to the sign-in page',
    otherTitle: 'A different account is signed in',
    otherAct: 'Load this page again',
  },
};
