/** By type, as in docs/events.md. */
const types = {
  'sign-up': 'Account created',
  'sign-in': 'Signed in',
  'sign-out': 'Signed out',
  'passkey-added': 'Passkey added',
  'passkey-renamed': 'Passkey renamed',
  'passkey-removed': 'Passkey removed',
  'session-ended': 'Signed out of one session',
  'other-sessions-ended': 'Signed out everywhere else',
  'display-name-changed': 'Name changed',
  'recovery-codes-created': 'Recovery codes created',
  'account-recovered': 'Account recovered with a code or link',
  'consent-approved': '{app} connected',
  'app-disconnected': '{app} disconnected',
  'token-replayed': '{app} disconnected for your security',
  'signature-counter-reversed': 'Sign-in blocked: the passkey may be a copy',
  'recovery-link-created': 'Recovery link created for you',
  'recovery-link-revoked': 'Recovery link revoked',
  'user-signed-out': 'Signed out everywhere',
  'user-disabled': 'Account disabled',
  'user-enabled': 'Account re-enabled',
  'budget-set': 'Daily credits changed',
  'budget-reset': 'Today’s credits reset',
};

/** What to do if it was someone else. */
const advice = {
  intruder:
    'Someone else signed in to your account. Sign out everywhere else, then remove any passkeys you don’t recognize.',
  passkey:
    'Someone else can sign in to your account. Remove any passkeys you don’t recognize, then sign out everywhere else.',
  codes:
    'Someone else may have your recovery codes. Create new ones to replace them, then sign out everywhere else and remove any passkeys you don’t recognize.',
  recovered:
    'If this wasn’t you, someone else used your recovery code or link. Create new codes, then sign out everywhere else and remove any passkeys you don’t recognize. If it was you, remove the passkeys you lost.',
  app: 'Disconnect the app. Then sign out everywhere else and remove any passkeys you don’t recognize.',
  replayed:
    'Its access may have been copied, so it was ended immediately. Reconnect the app only on a computer you trust.',
  copied:
    'If this was you, remove that passkey and add a new one. If it wasn’t, someone has a copy of it: remove it right away.',
  operator: 'An administrator of this service did this. Contact them if you weren’t expecting it.',
};

export const activity = {
  heading: 'Recent activity',
  about: 'Recent changes and sign-ins, and what to do if one of them wasn’t you.',
  none: 'No activity yet.',
  notYou: 'Wasn’t you?',
  script: {
    types,
    advice,
    /** By the section that they lead to. */
    links: {
      sessions: 'See where you’re signed in',
      passkeys: 'Review your passkeys',
      'recovery-codes': 'Go to recovery codes',
      apps: 'Review connected apps',
    },
    other: 'Other activity: {type}',
    someApp: 'An app',
    all: 'Show all {n}',
    whatToDo: 'What to do',
  },
};
