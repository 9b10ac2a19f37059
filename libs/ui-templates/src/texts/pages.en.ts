import { counted } from '../locale/catalogue.js';

/**
 * Everything that people read on the sign-in and consent pages, and what other pages share with them, but the
 * descriptions of scopes (`Scope.description`) and refusals of the authorization endpoint (`authorize-refusals`).
 * `{words}` in braces are filled in.
 */
export const englishPageTexts = {
  title: '{title} – {service}',
  app: {
    about: 'About this app',
    published: 'Published by',
    publisher: 'Publisher',
    unverified:
      '{mark}. This app registered itself, and anyone can register an app under any name.',
    unverifiedMark: 'Name unverified',
    registered: 'Registered here on {moment}.',
    returnsTo: 'Redirects to',
    opensApp: 'the app on this device that opens {target} links',
    loopback: 'Redirects to this computer. Continue only if you started this yourself.',
    loopbackWhy: 'Why?',
    loopbackBecause:
      'You’ll be redirected to {target}, where any program on this computer could be listening, not just the app you expect. Continue only if you just started connecting an app on this computer.',
  },
  signIn: {
    title: 'Sign in',
    heading: 'Sign in to connect {app}',
    knownHeading: 'Sign in',
    known: 'If you already have an account, sign in with your passkey.',
    /** @deprecated No page shows it. */
    account: 'Account',
    /** @deprecated No page shows it. */
    accountHint: 'your browser suggests your passkeys here',
    button: 'Sign in with a passkey',
    newHeading: 'New here?',
    new: 'Create an account with a passkey. Your device saves it, and you unlock it with your face, fingerprint or PIN. There’s no password to remember.',
    name: 'Your name',
    nameHint: '1 to 40 characters. It’s shown with your passkey when you sign in.',
    create: 'Create account with a passkey',
    invite: 'Invitation code',
    inviteHint:
      'You need an invitation to create an account. Ask an administrator of this service for one.',
    closed:
      'This service isn’t accepting new accounts right now. If you think you should have one, contact an administrator of this service.',
    noScript: 'Passkeys need JavaScript. Turn it on for this page, then reload the page.',
  },
  passkeysUnavailable: {
    unsupportedHeading: 'This browser doesn’t support passkeys',
    unsupported:
      'This page may be open inside another app, or your browser may be out of date. Copy the link and open it in your usual browser.',
    link: 'Link to this page',
    copy: 'Copy link',
    addressHeading: 'Passkeys don’t work at this address',
    address: 'Browsers only allow passkeys on a domain name, not on an IP address such as {host}.',
    localhost: 'Connect the app to {there} instead of {here}. To try it in this window, {link}.',
    localhostLink: 'open this page on localhost',
    localhostHere: 'Use {there} instead of {here}: {link}.',
    noHostName: 'Ask an administrator of this service for its domain name.',
  },
  consent: {
    title: 'Allow {app}?',
    heading: '{app} wants to connect to your account',
    signedInAs: 'Signed in as {user}',
    switchAccount: 'Use another account',
    resource: 'It asks for access to {name}: {address}',
    scopes: 'Permissions',
    someRequested:
      'The permissions that the app asked for are selected. Clear any that you don’t want to allow.',
    noneRequested:
      'The app didn’t ask for specific permissions, so all of them are selected. Clear any that you don’t want to allow.',
    newAccount: 'Sign out and create an account',
    notRequested: 'not requested',
    duration: 'Access expires after 30 days without use.',
    durationWithEnd: 'Access expires after 30 days without use, or {days} from now at the latest.',
    durationOfEnd: 'Access expires {days} from now.',
    disconnect: 'You can disconnect the app at any time on {link}.',
    accountPage: 'your account page',
    days: counted({ one: '1 day', other: '{n} days' }),
    approve: 'Allow',
    deny: 'Don’t allow',
    /** Beside a scope that changes something. */
    ask: 'Ask me each time',
    presets: {
      label: 'Select permissions',
      asked: 'What it asked for',
      read: 'Read only',
      all: 'Everything',
    },
  },
  /** An app asks before a call. */
  request: {
    title: 'Request from {app}',
    tool: '{app} asks to use “{tool}”',
    toolOn: '{app} asks to use “{tool}” on {page}',
    resource: '{app} asks to read “{tool}”',
    prompt: '{app} asks to use the prompt “{tool}”',
    about: 'About this request',
    app: 'App',
    action: 'Action',
    page: 'Page',
    notPermitted: 'You’re asked because {app} doesn’t have this permission: {permission}.',
    askedFor: 'You’re asked because you want to be asked about this permission: {permission}.',
    confirms: 'You’re asked because this action always needs your confirmation.',
    arguments: 'With these details',
    noArguments: 'The app sends no further details.',
    argument: 'Name',
    value: 'Value',
    empty: 'empty',
    truncated:
      'Only the beginning is shown, because there’s more than fits here. If you need to know the rest, don’t allow it.',
    unseen:
      'Marks such as {example} stand for characters that are invisible or change the order of the text.',
    answers: 'Your answer',
    byPasskey: 'To allow it, you confirm with your passkey.',
    noMeans: 'Nothing is done. If {app} tries exactly this again, it’s refused for 10 minutes.',
    noPermission: 'Nothing is done. {app} can’t ask for this permission for 10 minutes.',
    once: 'Allow once',
    onceMeans:
      '{app} can do exactly this, one time, within 10 minutes. After that, it has to ask again.',
    always: 'Always allow',
    alwaysMeans:
      '{app} can do this, and from now on it doesn’t ask for anything that this permission covers: {permission}. You can change that on {link}.',
    appPage: 'its page',
    unanswered:
      'If you don’t answer within {minutes} (until {until}), nothing is done and the request expires.',
    outcomes: {
      once: 'Allowed once',
      always: 'Always allowed',
      no: 'Not allowed',
      expired: 'This request has expired',
    },
    outcomeMeans: {
      once: '{app} can do exactly this within 10 minutes. If it doesn’t go on by itself, tell it to try again.',
      always:
        '{app} can do this without asking from now on. If it doesn’t go on by itself, tell it to try again. You can change that on {link}.',
      no: 'Nothing was done. {app} is told that you refused, and to try again only if you ask.',
      expired: 'Nothing was done. If you still want it, tell {app} to try again.',
    },
    late: 'This request had already ended, so your last answer wasn’t used.',
    account: 'Go to your account',
    goneTitle: 'This request isn’t here',
    gone: 'It ended more than an hour ago, or it’s for another account. If an app is still waiting for you, tell it to try again.',
  },
  /** What an app may do, and what it did. */
  appPage: {
    back: 'Back to your account',
    opensApp: 'an app on your device',
    resource: 'Has access to',
    managedBy: 'Managed by',
    connected: 'Connected',
    lastUsed: 'Last used',
    ends: 'Access ends',
    endsUnused: '{end}, unless the app is used before then',
    pause: 'Pause',
    pauseMeans: 'While it’s paused, {app} stays connected but can’t do anything.',
    paused: 'Paused',
    pausedByAdministrator: 'An administrator paused {app}. Only an administrator can resume it.',
    resume: 'Resume',
    permissions: 'Permissions',
    permissionsAbout: 'Choose what {app} can do. Changes take effect with its next action.',
    askMeans: '“Ask me” means that nothing is done until you say yes, each time.',
    allow: 'Allow',
    ask: 'Ask me',
    off: 'Off',
    notOfferedBy: 'Not given by {name}, so you can’t turn it on here.',
    mayAsk: 'It may ask for more',
    mayAskMeans:
      'When it needs a permission that’s off, you’re asked. Otherwise, it’s refused without asking you.',
    savePermissions: 'Save permissions',
    limits: 'Limits',
    dailyCredits: 'Credits per day',
    dailyCreditsMeans:
      'When they’re used up, the app has to wait until midnight UTC. Leave it empty to limit it only by your account’s daily credits.',
    used: counted({ one: '{n} credit used today.', other: '{n} credits used today.' }),
    endsOn: 'Last day of access',
    endsOnMeans:
      'The app is disconnected at the end of this day (UTC). Leave it empty to set no last day.',
    saveLimits: 'Save limits',
    calls: 'What it did',
    callsAbout: 'Only the action and how it ended are kept, not what was sent or received.',
    noCalls: 'Nothing yet.',
    chart: counted({
      one: '{n} action in the last 30 days',
      other: '{n} actions in the last 30 days',
    }),
    day: 'Day',
    dayCalls: 'Actions',
    allTools: 'All actions',
    others: 'Other actions',
    show: 'Show',
    credits: counted({ one: '{n} credit', other: '{n} credits' }),
    outcomes: {
      done: 'Done',
      asked: 'Waited for an answer',
      refused: 'Refused',
      failed: 'Failed',
      cancelled: 'Canceled',
    },
    approved: { once: 'you allowed it', passkey: 'you allowed it with your passkey' },
    newest: 'Newest',
    older: 'Older',
    disconnect: 'Disconnect',
    disconnectQuestion: 'Disconnect {app}…',
    disconnectMeans:
      'It will lose access to your account immediately. To use it again, connect it from the app.',
    disconnectMeansManaged:
      'It will lose access to your account immediately. {name} can connect it again.',
    disconnectNow: 'Disconnect now',
    goneTitle: 'This app isn’t connected',
    gone: 'It was disconnected, its access has ended, or it’s connected to another account.',
    confirm: 'Use a passkey',
    messages: {
      saved: 'Saved. This takes effect with the app’s next action.',
      signInAgain:
        'Nothing was changed, because this gives the app more and it’s been a while since you signed in. Confirm it’s you with a passkey, then make the change again.',
      credits: 'Nothing was changed. Enter a whole number of credits from 0 to 1,000,000, or none.',
      end: 'Nothing was changed. Choose a day from today to ten years from now, or none.',
      refused: 'Nothing was changed, because this can’t be set for this app.',
      tooMany: 'Nothing was changed, because there were too many changes. Try again in a minute.',
    },
  },
  /** A person whom the team's policy lets not connect an app. */
  refused: {
    heading: 'You can’t connect {app} to this account',
    back: 'Back to the app',
    next: 'The app gets no access. If you think this is wrong, ask an administrator of this service.',
  },
  openInTab: {
    title: 'Open this page in a tab',
    heading: 'Open this page in its own tab to connect {app}',
    reason:
      'This page was loaded inside another page or by a script. To keep your account safe, you can only decide about an app on a page that you opened in a tab.',
    link: 'Open in a new tab',
    again:
      'Still seeing this? Hold down Shift and reload the page, so that your browser loads it directly.',
  },
  /** The page script's messages, for its live regions. */
  script: {
    signingIn: 'Waiting for your passkey…',
    creating: 'Creating your account. Follow the steps on your device to save a passkey…',
    cancel: 'Cancel',
    done: 'Signed in. One moment…',
    copied: 'Link copied.',
    copyYourself: 'The link is selected. Copy it with your keyboard.',
    cancelledSignIn:
      'Canceled or timed out. Nothing has changed. Try again, or create an account if you don’t have a passkey here yet.',
    cancelledSignInOnly: 'Canceled or timed out. Nothing has changed. You can try again.',
    cancelledSignUp: 'Canceled or timed out. No account was created. You can try again.',
    seenHere:
      'Someone has signed in with this browser before. If it was you, use the same passkey.',
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
    /** Translations of the service's English messages, by message. English needs none; a missing one stays English. */
    reasons: {} as Readonly<Record<string, string>>,
    signedOut: 'You are signed out.',
  },
};

/** Texts of other languages have these keys. */
export type PageTexts = typeof englishPageTexts;

/** The texts of the page script. */
export type ScriptTexts = PageTexts['script'];
