/** Everything that people read, in one place to translate. `{words}` in braces are filled in. */
export const texts = {
  language: 'en',
  title: '{title} – {service}',
  app: {
    about: 'About this app',
    published: 'Published by',
    publisher: 'Publisher',
    unverified: '{mark}. The app registered itself, and anyone can register any name.',
    unverifiedMark: 'Name unverified',
    registered: 'Registered here on {moment}.',
    returnsTo: 'Returns you to',
    opensApp: 'the app on this device that opens {target}',
    loopback: 'Goes to this computer: continue only if you started this yourself.',
    loopbackWhy: 'Why?',
    loopbackBecause:
      'The answer goes to {target}. Any program on this computer could be listening there, not only the app you mean. Continue only if you have just started to connect one here.',
  },
  signIn: {
    title: 'Sign in',
    heading: 'Sign in to connect {app}',
    knownHeading: 'Sign in',
    known: 'Use a passkey you made here before.',
    account: 'Account',
    accountHint: 'your browser suggests your passkeys here',
    button: 'Sign in with a passkey',
    newHeading: 'New here?',
    new: 'Your device keeps a passkey for you and unlocks it with your face, fingerprint or PIN. There is no password.',
    name: 'Your name',
    nameHint: '1 to 40 characters. You will see it on your passkey when you sign in.',
    create: 'Create account with a passkey',
    invite: 'Invitation code',
    inviteHint: 'You need one to create an account. Ask whoever runs this service.',
    closed:
      'No new accounts are made here at the moment. If you think you should have one, ask whoever runs this service.',
    noScript: 'Passkeys need JavaScript. Allow it for this page, then load the page again.',
  },
  passkeysUnavailable: {
    unsupportedHeading: 'This browser cannot use passkeys',
    unsupported:
      'You may be inside another app, or the browser is too old. Copy the link and open it in your normal browser.',
    link: 'Link to this page',
    copy: 'Copy link',
    addressHeading: 'Passkeys do not work here',
    address: 'Browsers use passkeys only on a host name, never on an address such as {host}.',
    localhost: 'Connect the app to {there} instead of {here}. To try it in this window: {link}',
    localhostLink: 'open this page on localhost',
    localhostHere: 'Use {there} instead of {here}: {link}',
    noHostName: 'Ask whoever runs this service for its name.',
  },
  consent: {
    title: 'Allow {app}?',
    heading: '{app} wants to connect to your account',
    signedInAs: 'Signed in as {user}',
    switchAccount: 'Use another account',
    scopes: 'What it may do',
    someRequested: 'What the app asks for is ticked. Untick anything it should not do.',
    noneRequested:
      'The app did not say what it needs, so everything is ticked. Untick anything it should not do.',
    newAccount: 'Sign out and create an account',
    notRequested: 'not requested',
    duration: 'Access ends by itself after 30 days without use.',
    durationWithEnd:
      'Access ends by itself after 30 days without use, and {days} from now in any case.',
    durationOfEnd: 'Access ends by itself {days} from now.',
    disconnect: 'You can disconnect it at any time on {link}.',
    accountPage: 'your account page',
    oneDay: '1 day',
    manyDays: '{days} days',
    approve: 'Allow',
    deny: 'Don’t allow',
  },
  openInTab: {
    title: 'Open this page in a tab',
    heading: 'Open this page in a tab of its own to connect {app}',
    reason:
      'It was loaded inside another page or by a script. To keep your account safe, you can answer an app only in a tab that your browser loaded by itself.',
    link: 'Open in a new tab',
    again:
      'You see this again? Hold Shift and reload the page: then nothing of the site stands in between.',
  },
  /** Shown by the page script, in its live region. */
  script: {
    signingIn: 'Waiting for your passkey…',
    creating: 'Creating your account. Your device asks you to save a passkey…',
    done: 'Signed in. One moment…',
    copied: 'Link copied.',
    copyYourself: 'Press the copy keys now: the link is selected.',
    cancelledSignIn:
      'Cancelled or timed out. Nothing has changed. Try again, or create an account if you have no passkey here yet.',
    cancelledSignInOnly: 'Cancelled or timed out. Nothing has changed. You can try again.',
    cancelledSignUp: 'Cancelled or timed out. No account was created. You can try again.',
    seenHere:
      'This browser was signed in here before. If that was you, use the same passkey again.',
    cancelledSwitch:
      'Cancelled or timed out. You are still signed in as before. To use an account that you do not have yet, sign out first.',
    cancelledSwitchOnly: 'Cancelled or timed out. You are still signed in as before.',
    notAtHandOnly:
      'No passkey was used. If yours is on a phone or a security key, press the button again.',
    notAtHand:
      'No passkey was used. If yours is on a phone or a security key, press the button again. If you have none here yet, create an account.',
    signedInAlready:
      'You are signed in here already, perhaps in another tab. Load this page again to go on.',
    otherAddress:
      'The service is at another address than this page. Open the page from the app again; if it does not help, tell whoever runs the service.',
    unknownPasskey: 'This passkey is not registered here. Use another one, or create an account.',
    unknownPasskeyOnly: 'This passkey is not registered here. Use another one.',
    alreadyHere: 'This device already has a passkey for you. Sign in with it instead.',
    wrongPlace: 'Passkeys do not work at this address. Open the page from the app again.',
    cannotKeep:
      'This device or security key cannot keep the passkey: it may be full, or have no PIN yet. Set a PIN, or use another one.',
    notSupported: 'This device or security key does not do this kind of passkey. Use another one.',
    offline: 'The service could not be reached. Check your connection and try again.',
    tooMany: 'Too many attempts. Try again {when}.',
    unavailable: 'The service is not available at the moment. Try again {when}.',
    expired: 'That took too long. Please try again.',
    refused: 'That did not work: {reason}.',
    nameRefused: '“Your name” {fault}.',
    failed: 'Something went wrong, and nothing has changed. Please try again.',
    failedThere:
      'Something went wrong at the service. Please try again. If it happens again, tell whoever runs it: request {request}.',
    soon: 'in a moment',
    answering: 'Sending your answer…',
    answered: 'Answer sent. If the app does not come forward by itself, go back to it.',
    answeredApp:
      'Answer sent to the app. You can close this page. If the app does not come forward by itself, go back to it.',
    blocked:
      'Your browser stopped the way back to the app. Go back to the app and connect once more, or tell its makers.',
  },
} as const;

export type ScriptTexts = Readonly<Record<keyof typeof texts.script, string>>;
