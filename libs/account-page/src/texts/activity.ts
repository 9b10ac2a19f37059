/** What an event is called, and what to do when it was somebody else. */
export interface EventWords {
  readonly text: string;
  readonly advice?: keyof typeof advice;
  /** Whether the advice is for everybody who sees it. */
  readonly isGrave?: boolean;
}

const advice = {
  intruder: {
    text: 'Somebody else was signed in as you. Sign out everywhere else, then remove every passkey that you do not know.',
    link: 'Go to where you are signed in',
    section: 'sessions',
  },
  passkey: {
    text: 'Somebody else can sign in as you. Remove every passkey that you do not know, then sign out everywhere else.',
    link: 'Go to passkeys',
    section: 'passkeys',
  },
  codes: {
    text: 'Somebody else may know your recovery codes. Create new ones, which ends the older ones, then sign out everywhere else and remove every passkey that you do not know.',
    link: 'Go to recovery codes',
    section: 'recovery-codes',
  },
  recovered: {
    text: 'If it was not you, somebody knew a code of yours: create new ones, then sign out everywhere else and remove every passkey that you do not know. If it was you, remove the passkeys that you lost.',
    link: 'Go to recovery codes',
    section: 'recovery-codes',
  },
  app: {
    text: 'Disconnect it. Then sign out everywhere else, and remove every passkey that you do not know.',
    link: 'Go to connected apps',
    section: 'apps',
  },
  replayed: {
    text: 'Its access may have been copied, so it was ended at once. Connect the app again only where you trust the computer that it runs on.',
    link: 'Go to connected apps',
    section: 'apps',
  },
  copied: {
    text: 'The sign-in was refused. If it was you, remove that passkey and add a new one. If it was not, somebody has a copy of it: remove it at once.',
    link: 'Go to passkeys',
    section: 'passkeys',
  },
  operator: {
    text: 'Whoever runs this service did it. Ask them if you did not expect it.',
    link: '',
    section: '',
  },
};

/** By type, as in docs/events.md. */
const types: Readonly<Record<string, EventWords>> = {
  'sign-up': { text: 'Account created' },
  'sign-in': { text: 'Signed in', advice: 'passkey' },
  'sign-out': { text: 'Signed out' },
  'passkey-added': { text: 'Passkey added', advice: 'passkey' },
  'passkey-renamed': { text: 'Passkey renamed', advice: 'intruder' },
  'passkey-removed': { text: 'Passkey removed', advice: 'intruder' },
  'session-ended': { text: 'Signed out in one place', advice: 'intruder' },
  'other-sessions-ended': { text: 'Signed out everywhere else', advice: 'intruder' },
  'display-name-changed': { text: 'Name changed', advice: 'intruder' },
  'recovery-codes-created': { text: 'Recovery codes created', advice: 'codes' },
  'account-recovered': {
    text: 'Recovered by a code or link',
    advice: 'recovered',
    isGrave: true,
  },
  'consent-approved': { text: '{app} connected', advice: 'app' },
  'app-disconnected': { text: '{app} disconnected', advice: 'intruder' },
  'token-replayed': { text: '{app} cut off', advice: 'replayed', isGrave: true },
  'signature-counter-reversed': {
    text: 'A passkey that may be a copy was refused',
    advice: 'copied',
    isGrave: true,
  },
  'recovery-link-created': { text: 'Recovery link made for you', advice: 'operator' },
  'user-signed-out': { text: 'Signed out everywhere', advice: 'operator' },
  'user-disabled': { text: 'Account disabled', advice: 'operator' },
  'user-enabled': { text: 'Account enabled again', advice: 'operator' },
  'budget-set': { text: 'Daily credits changed', advice: 'operator' },
  'budget-reset': { text: 'Credits of the day given back', advice: 'operator' },
};

export const activity = {
  heading: 'Recent activity',
  about: 'What happened to your account lately. If something was not you, it says what to do.',
  none: 'Nothing yet.',
  notYou: 'Was it not you?',
  script: {
    types,
    advice,
    other: 'Something else: {type}',
    someApp: 'An app',
    where: '{when}, {browser}',
    all: 'Show all {n}',
    whatToDo: 'What to do',
  },
};
