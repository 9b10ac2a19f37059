import { counted } from '../locale/catalogue.js';

/** The texts of the account page and its related pages, by section. `{words}` in braces are filled in. */
export const englishAccountTexts = {
  activity: {
    heading: 'Recent activity',
    about: 'Recent changes and sign-ins, and what to do if you don’t recognize one.',
    none: 'No activity yet.',
    notYou: 'Don’t recognize this?',
    script: {
      /** By type, as in docs/reference/events.md. */
      types: {
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
        'managed-access-granted': '{app} connected by your organization',
        'app-disconnected': '{app} disconnected',
        'connection-changed': '{app}: settings changed',
        'request-approved': '{app}: request allowed',
        'request-refused': '{app}: request refused',
        'token-replayed': '{app} disconnected for your security',
        'signature-counter-reversed': 'Sign-in blocked: the passkey may be a copy',
        'backup-eligibility-changed': 'Sign-in blocked: the passkey has changed',
        'recovery-link-created': 'Recovery link created for you',
        'recovery-link-revoked': 'Recovery link revoked',
        'user-signed-out': 'Signed out everywhere',
        'user-disabled': 'Account disabled',
        'user-enabled': 'Account re-enabled',
        'identity-linked': 'Linked to an identity at another provider',
        'identity-unlinked': 'Unlinked from an identity at another provider',
        'budget-set': 'Daily credits changed',
        'budget-reset': 'Today’s credits reset',
      },
      /** Advice for people who did not cause the event themselves. */
      advice: {
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
        operator:
          'An administrator of this service did this. Contact them if you weren’t expecting it.',
      },
      /** By the section that the link leads to. */
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
  },
  apps: {
    heading: 'Connected apps',
    about:
      'Apps you’ve allowed to use your account. To connect an app, give it this address: {address}',
    none: 'You haven’t connected any apps.',
    disconnect: 'Disconnect',
    manage: 'Manage',
    paused: 'Paused',
    resource: 'For {name}',
    may: 'It can',
    script: {
      published: 'Published by {host}',
      unverified: 'Name unverified, redirects to {host}',
      unverifiedApp: 'Name unverified, opens an app on your device',
      managed: 'Managed by {name}',
      connected: 'Connected {when}',
      used: 'last used {when}',
      /** @deprecated No page shows it. */
      unused: 'never used',
      moment: 'on {moment}',
      manageOne: 'Manage {name}, connected {when}',
      asks: '{permission} (asks you first)',
      disconnectOne: 'Disconnect {name}, connected {when}',
      askTitle: 'Disconnect {name}?',
      askText:
        'It will lose access to your account immediately. To use it again, connect it from the app.',
      askTextManaged:
        'It will lose access to your account immediately. {name} can connect it again.',
      askAct: 'Disconnect',
      done: 'App disconnected.',
    },
  },
  budget: {
    heading: 'Today’s credits',
    about: 'Connected apps use credits when they run code or have content checked.',
    script: {
      left: '{left} of {limit} credits left',
      renews: 'Resets {when}',
      unknown: 'Your credits can’t be shown right now. They aren’t lost. Check back in a minute.',
    },
  },
  deletion: {
    heading: 'Delete account',
    about:
      'Your name, passkeys, connected apps and credits will be deleted immediately. This can’t be undone.',
    button: 'Delete account…',
    doneHeading: 'Your account has been deleted',
    done: 'Your data has been deleted and you’ve been signed out everywhere. If your passkey manager still shows your passkeys, delete them there too.',
    goOn: 'Go to the sign-in page',
    script: {
      title: 'Delete your account?',
      text: 'Your name, passkeys, sessions, connected apps and credits will be deleted immediately. This can’t be undone, not even by an administrator.',
      label: 'Type “{word}” to confirm',
      word: 'delete',
      wordFault: 'Type “{word}” to delete your account, or cancel.',
      act: 'Delete account permanently',
    },
  },
  export: {
    heading: 'Your data',
    about: 'Everything that’s kept about your account, in one JSON file.',
    button: 'Download my data',
    script: {
      working: 'Collecting your data…',
      done: 'Your data has been downloaded.',
    },
  },
  /** The top of the page: a one-line summary of the account, and links to the sections. */
  overview: {
    sections: 'On this page',
    script: {
      passkeys: counted({ one: '{n} passkey', other: '{n} passkeys' }),
      codes: counted({ one: '{n} recovery code', other: '{n} recovery codes' }),
      noCodes: 'no recovery codes',
      apps: counted({ one: '{n} app', other: '{n} apps' }),
      noApps: 'no apps',
    },
  },
  page: {
    title: 'Your account',
    signOut: 'Sign out',
    tryAgain: 'Try again',
    loading: 'Loading…',
    cancel: 'Cancel',
    noScript: 'This page needs JavaScript. Turn it on for this page, then reload the page.',
    script: {
      notLoaded: 'This couldn’t be loaded.',
      working: 'One moment…',
      signedOut:
        'You’ve been signed out, so nothing was changed. Reload this page to sign in again.',
      otherAccount:
        'This browser is now signed in to another account, so nothing was changed. Reload this page to see that account.',
      notSignedInAgain: 'You didn’t confirm it’s you, so nothing was changed.',
      justNow: 'just now',
      onDate: 'on {date}',
      atTime: '{day} at {time}',
      both: '{first}, {second}',
      browser: '{browser} on {system}',
    },
  },
  passkeys: {
    heading: 'Passkeys',
    about:
      'You sign in with a passkey and unlock it with your face, fingerprint or PIN. There’s no password to remember.',
    current: 'Used for this session',
    rename: 'Rename',
    remove: 'Remove',
    add: 'Add a passkey',
    addHint:
      'Your browser will ask where to save it: on this device, on a nearby phone or tablet, or on a security key.',
    codes: 'Get recovery codes',
    loss: 'If you lose your passkey',
    script: {
      unnamed: 'Passkey',
      synced: 'synced across your devices',
      notSynced: 'on one device only',
      added: 'Added {when}',
      used: 'last used {when}',
      unused: 'not yet used to sign in',
      renameOne: 'Rename {name}',
      removeOne: 'Remove {name}',
      lossSynced:
        'You have one passkey, and it’s synced to every device that uses the same passkey manager. If you lose access to that passkey manager, you won’t be able to sign in. There’s no password or email to fall back on.',
      lossOneDevice:
        'Your only passkey is on one device. If you lose or break that device, you won’t be able to sign in. There’s no password or email to fall back on.',
      lossUnknown:
        'You have one passkey. If you lose it, you won’t be able to sign in. There’s no password or email to fall back on.',
      lossAdvice:
        'Add a second passkey on another device or in another passkey manager, and save recovery codes.',
      lossAdvicePasskey: 'Add a second passkey on another device or in another passkey manager.',
      lossCodes:
        'You have one passkey. If you lose it, you can sign in with a recovery code and add a new one. {left}.',
      codesLeft: counted({ one: '{n} code left', other: '{n} codes left' }),
      adding: 'Follow the steps on your device to save a passkey…',
      doneAdd: 'Passkey added. Rename it so you can recognize it later.',
      cancelledAdd: 'Canceled or timed out. No passkey was added. You can try again.',
      alreadyThere:
        'You already have a passkey for this account there. Choose another device, passkey manager or security key.',
      renameTitle: 'Rename passkey',
      renameText: 'Choose a name that tells you where this passkey is, such as “Work laptop”.',
      renameLabel: 'Name',
      renameHint: '1 to 40 characters.',
      renameAct: 'Save',
      renameFault: 'The name {fault}.',
      doneRename: 'Passkey renamed.',
      removeTitle: 'Remove {name}?',
      removeText:
        'You won’t be able to sign in with it again. Any other sessions that you started with it will end. If your passkey manager still shows it, delete it there too.',
      removeCurrentText:
        'You used it to sign in here. You’ll stay signed in, but you won’t be able to sign in with it again. If your passkey manager still shows it, delete it there too.',
      removeAct: 'Remove passkey',
      doneRemove: 'Passkey removed.',
      lastTitle: 'This is your last passkey',
      lastText:
        'You can’t remove it, because you wouldn’t be able to sign in anymore. Add another passkey first, then remove this one.',
      addNow: 'Add a passkey',
      lastNow: 'This is now your last passkey, so it can’t be removed. Add another one first.',
      nameTitle: 'Name your passkey',
      nameText: 'Your new passkey is saved. Give it a name so you can recognize it later.',
      nameSkip: 'Skip',
      nameKey: 'Security key',
      namePhone: 'Phone or tablet',
      doneNamed: 'Passkey added.',
    },
  },
  profile: {
    rename: 'Change name',
    script: {
      title: 'Change your name',
      text: 'It’s shown on your passkeys and to connected apps. Some passkey managers keep showing the old name.',
      label: 'Your name',
      hint: '1 to 40 characters.',
      act: 'Save',
      fault: 'Your name {fault}.',
      done: 'Name changed.',
    },
  },
  /** The page for people who have lost all their passkeys. */
  recover: {
    title: 'Recover your account',
    about:
      'If you’ve lost all your passkeys, sign in with a recovery code. Each code works once, so add a new passkey right after you sign in.',
    signedIn:
      'You’re signed in as {user}. If you use a code, you’ll be signed out of this account and signed in to the account the code is for. You don’t need a code to add a passkey to this account: {account}.',
    account: 'go to your account',
    label: 'Recovery code',
    hint: 'Enter a code you saved, such as {example}, or one that an administrator gave you. Capitalization, spaces and dashes don’t matter.',
    act: 'Recover account',
    noneHeading: 'No codes left?',
    none: 'An administrator of this service can send you a recovery link that works for 24 hours. They’ll need to make sure it’s really you first.',
    signInHeading: 'Found your passkey?',
    signIn: 'Sign in with a passkey instead',
    noScript: 'This page needs JavaScript. Turn it on for this page, then reload the page.',
    script: {
      fromLink: 'The code from your link is filled in. Select “Recover account” to use it.',
      working: 'One moment…',
      done: 'You’re signed in. One moment…',
      empty: 'Enter a recovery code.',
      incomplete: counted({
        one: 'This isn’t a complete code: it has {n} letter or digit. A saved code has 24, and one from a link has 32.',
        other:
          'This isn’t a complete code: it has {n} letters and digits. A saved code has 24, and one from a link has 32.',
      }),
      wrong:
        'This code doesn’t work. It may be mistyped, expired, already used or replaced by newer codes. Check it, or try another one.',
      disabled:
        'This account is disabled. The code hasn’t been used up. Contact an administrator of this service.',
      offline:
        'Couldn’t reach the service. Check your connection and try again. If you’re then told that the code was already used, try the next one.',
    },
  },
  /** For people who signed in with a recovery code or link. */
  recovered: {
    heading: 'Add a passkey now',
    about:
      'You signed in with a recovery code or link, which won’t work again. Without a passkey, you’ll need another one the next time you sign in.',
    act: 'Add a passkey',
    doneHeading: 'Your new passkey is ready',
    done: 'Remove the passkeys you lost, so that anyone who finds them can’t sign in. If someone else may have your recovery codes, create new ones.',
    passkeys: 'Review your passkeys',
    codes: 'Go to recovery codes',
  },
  recoveryCodes: {
    heading: 'Recovery codes',
    about:
      'If you lose all your passkeys, you can sign in with a recovery code and add a new one. Each code works once.',
    shownHeading: 'Your new recovery codes',
    shown:
      'You won’t be able to see these codes again. Anyone who has one can sign in to your account with it, so keep them somewhere safe, such as in a password manager or on paper. Don’t keep them only on your phone.',
    copy: 'Copy',
    download: 'Download',
    print: 'Print',
    done: 'I’ve saved my codes',
    script: {
      none: 'You don’t have any recovery codes.',
      used: 'You’ve used all your codes. Create new ones.',
      ended: 'Your codes stopped working when you added your first passkey. Create new ones.',
      left: counted({
        one: '{n} of {all} codes left, created {when}.',
        other: '{n} of {all} codes left, created {when}.',
      }),
      create: 'Create recovery codes',
      createNew: 'Create new codes',
      creating: 'One moment…',
      askTitle: 'Create new recovery codes?',
      askText: 'Your existing codes will stop working.',
      askAct: 'Create new codes',
      copied: 'Copied.',
      copyFailed:
        'Your browser didn’t allow copying. The codes are selected: copy them with your keyboard.',
      owner: 'Recovery codes for {name} at {page}, created on {date}.',
      fileName: 'recovery-codes-{host}.txt',
      file: '{owner}\nEach code lets you sign in once, at {page}/recover\n\n{codes}\n',
      address: 'To use a code, go to {address}',
      leaveTitle: 'Sign out without saving your recovery codes?',
      leaveText:
        'The new codes are shown only once, and you haven’t copied, downloaded or printed them.',
      leaveAct: 'Sign out',
    },
  },
  /** Calls that wait for the person's answer. */
  requests: {
    heading: 'Waiting for your answer',
    answer: 'Review',
    script: {
      what: '{app}: {title}',
      until: 'expires {when}',
      answerOne: 'Review {what}',
    },
  },
  /** For a page whose account is no longer signed in; texts of `page` say what happened. */
  sessionOver: {
    script: {
      title: 'You are signed out',
      act: 'Go to the sign-in page',
      otherTitle: 'A different account is signed in',
      otherAct: 'Load this page again',
    },
  },
  sessions: {
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
  },
  /** Before changes that need a recent sign-in. */
  signInAgain: {
    script: {
      title: 'Confirm it’s you',
      text: 'It’s been a while since you signed in. To continue, use a passkey for this account.',
      act: 'Use a passkey',
      waiting: 'Waiting for your passkey…',
      cancelled: 'Canceled or timed out. Nothing was changed. You can try again.',
      otherAccount:
        'That passkey is for another account, so it wasn’t used. Use a passkey for this account.',
    },
  },
  signedOut: {
    heading: 'Your {service} account',
    lostHeading: 'Lost your passkeys?',
    /** @deprecated No page shows it. */
    lost: 'Sign in with a recovery code, or with a link from an administrator of this service, and add a new passkey.',
    /** @deprecated No page shows it. */
    recover: 'Recover your account',
    script: {
      wrongPlace:
        'Passkeys don’t work at this address. Ask an administrator of this service for the right one.',
      otherAddress:
        'This page’s address doesn’t match the service’s. Reload the page. If that doesn’t help, contact an administrator of this service.',
    },
  },
};

/** Other languages have the same records. */
export type AccountTexts = typeof englishAccountTexts;
