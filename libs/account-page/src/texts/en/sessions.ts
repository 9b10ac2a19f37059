export const sessions = {
  heading: 'Where you’re signed in',
  about: 'If you don’t recognize one of these, sign it out and review your passkeys.',
  current: 'This browser',
  end: 'Sign out',
  endOthers: 'Sign out everywhere else',
  script: {
    unknownBrowser: 'Unknown browser',
    activeNow: 'Active now',
    seen: 'Last active {when}',
    since: 'signed in {when}',
    endOne: 'Sign out {name}',
    endTitle: 'Sign out {name}?',
    endText:
      'Last active {when}. Any pages of this site that are open there will be signed out immediately.',
    endAct: 'Sign out',
    doneEnd: 'Session signed out.',
    othersTitle: 'Sign out everywhere else?',
    othersText: 'You’ll stay signed in only here. Your passkeys and connected apps won’t change.',
    othersAct: 'Sign out everywhere else',
    doneOthers: 'Signed out everywhere else.',
  },
};
