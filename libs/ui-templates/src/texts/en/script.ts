/** What the page script says, in its live regions. */
export const script = {
  signingIn: 'Waiting for your passkey…',
  creating: 'Creating your account. Follow the steps on your device to save a passkey…',
  done: 'Signed in. One moment…',
  copied: 'Link copied.',
  copyYourself: 'The link is selected. Copy it with your keyboard.',
  cancelledSignIn:
    'Canceled or timed out. Nothing has changed. Try again, or create an account if you don’t have a passkey here yet.',
  cancelledSignInOnly: 'Canceled or timed out. Nothing has changed. You can try again.',
  cancelledSignUp: 'Canceled or timed out. No account was created. You can try again.',
  seenHere: 'Someone has signed in with this browser before. If it was you, use the same passkey.',
  cancelledSwitch:
    'Canceled or timed out. You’re still signed in as before. To create a new account, sign out first.',
  cancelledSwitchOnly: 'Canceled or timed out. You’re still signed in as before.',
  notAtHandOnly:
    'No passkey was used. If yours is on a phone or a security key, press the button again.',
  notAtHand:
    'No passkey was used. If yours is on a phone or a security key, press the button again. If you don’t have one here yet, create an account.',
  signedInAlready:
    'You’re already signed in, perhaps in another tab. Reload this page to continue.',
  otherAddress:
    'This page’s address doesn’t match the service’s. Open the page from the app again. If that doesn’t help, contact an administrator of this service.',
  unknownPasskey: 'This passkey isn’t registered here. Use another one, or create an account.',
  unknownPasskeyOnly: 'This passkey isn’t registered here. Use another one.',
  alreadyHere: 'This device already has a passkey for you. Sign in with it instead.',
  wrongPlace: 'Passkeys don’t work at this address. Open the page from the app again.',
  cannotKeep:
    'This device or security key can’t save the passkey. It may be full or have no PIN yet. Set a PIN, or use another device or security key.',
  notSupported:
    'This device or security key doesn’t support this type of passkey. Use another one.',
  offline: 'Couldn’t reach the service. Check your connection and try again.',
  tooMany: 'Too many attempts. Try again {when}.',
  unavailable: 'The service is temporarily unavailable. Try again {when}.',
  expired: 'That took too long. Please try again.',
  refused: 'That didn’t work: {reason}.',
  nameRefused: '“Your name” {fault}.',
  failed: 'Something went wrong, and nothing has changed. Please try again.',
  failedThere:
    'Something went wrong on our end. Please try again. If it happens again, contact an administrator of this service and mention request {request}.',
  soon: 'in a moment',
  answering: 'Sending your answer…',
  answered: 'Answer sent. If the app doesn’t open by itself, go back to it.',
  answeredApp:
    'Answer sent to the app. You can close this page. If the app doesn’t open by itself, go back to it.',
  blocked:
    'Your browser blocked the redirect to the app. Go back to the app and connect again. If it happens again, contact the app’s developers.',
  /** What the service says in English, by that sentence. It fits as it is, and what is missing stays English. */
  reasons: {} as Readonly<Record<string, string>>,
  signedOut: 'You are signed out.',
};
