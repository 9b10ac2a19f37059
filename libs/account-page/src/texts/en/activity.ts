/** By type, as in docs/events.md. */
const types = {
  'sign-up': 'Account created',
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'passkey-added': 'Passkey added',
  'passkey-renamed': 'Passkey renamed',
  'passkey-removed': 'Passkey removed',
  'session-ended': 'Signed out in one place',
  'other-sessions-ended': 'Signed out everywhere else',
  'display-name-changed': 'Name changed',
  'recovery-codes-created': 'Recovery codes created',
  'account-recovered': 'Recovered by a code or link',
  'consent-approved': '{app} connected',
  'app-disconnected': '{app} disconnected',
  'token-replayed': '{app} cut off',
  'signature-counter-reversed': 'A passkey that may be a copy was refused',
  'recovery-link-created': 'Recovery link made for you',
  'user-signed-out': 'Signed out everywhere',
  'user-disabled': 'Account disabled',
  'user-enabled': 'Account enabled again',
  'budget-set': 'Daily credits changed',
  'budget-reset': 'Credits of the day given back',
};

/** What to do where it was somebody else. */
const advice = {
  intruder:
    'Somebody else was signed in as you. Sign out everywhere else, then remove every passkey that you do not know.',
  passkey:
    'Somebody else can sign in as you. Remove every passkey that you do not know, then sign out everywhere else.',
  codes:
    'Somebody else may know your recovery codes. Create new ones, which ends the older ones, then sign out everywhere else and remove every passkey that you do not know.',
  recovered:
    'If it was not you, somebody knew a code of yours: create new ones, then sign out everywhere else and remove every passkey that you do not know. If it was you, remove the passkeys that you lost.',
  app: 'Disconnect it. Then sign out everywhere else, and remove every passkey that you do not know.',
  replayed:
    'Its access may have been copied, so it was ended at once. Connect the app again only where you trust the computer that it runs on.',
  copied:
    'The sign-in was refused. If it was you, remove that passkey and add a new one. If it was not, somebody has a copy of it: remove it at once.',
  operator: 'Whoever runs this service did it. Ask them if you did not expect it.',
};

export const activity = {
  heading: 'Recent activity',
  about: 'What happened to your account lately. If something was not you, it says what to do.',
  none: 'Nothing yet.',
  notYou: 'Was it not you?',
  script: {
    types,
    advice,
    /** By the section that they lead to. */
    links: {
      sessions: 'Go to where you are signed in',
      passkeys: 'Go to passkeys',
      'recovery-codes': 'Go to recovery codes',
      apps: 'Go to connected apps',
    },
    other: 'Something else: {type}',
    someApp: 'An app',
    all: 'Show all {n}',
    whatToDo: 'What to do',
  },
};
