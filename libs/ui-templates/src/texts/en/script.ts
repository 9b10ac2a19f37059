/** What the page script says, in its live regions. */
export const script = {
  signingIn: 'Waiting for your passkey…',
  creating: 'Creating your account. Your device asks you to save a passkey…',
  done: 'Signed in. One moment…',
  copied: 'Link copied.',
  copyYourself: 'Press the copy keys now: the link is selected.',
  cancelledSignIn:
    'Cancelled or timed out. Nothing has changed. Try again, or create an account if you have no passkey here yet.',
  cancelledSignInOnly: 'Cancelled or timed out. Nothing has changed. You can try again.',
  cancelledSignUp: 'Cancelled or timed out. No account was created. You can try again.',
  seenHere: 'This browser was signed in here before. If that was you, use the same passkey again.',
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
  /** What the service says in English, by that sentence. It fits as it is, and what is missing stays English. */
  reasons: {} as Readonly<Record<string, string>>,
};
