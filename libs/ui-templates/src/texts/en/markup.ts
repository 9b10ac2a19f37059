import { counted } from '../../locale/counted.js';

/** What stands in the pages. `{words}` in braces are filled in. */
export const markup = {
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
    days: counted({ one: '1 day', other: '{n} days' }),
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
};
