import { counted } from '#libs/ui-templates';

export const passkeys = {
  heading: 'Passkeys',
  about: 'What you sign in with, unlocked by your face, fingerprint or PIN. There is no password.',
  current: 'Used for this session',
  rename: 'Rename',
  remove: 'Remove',
  add: 'Add a passkey',
  addHint:
    'Your browser asks where to keep it: on this device, on a phone or tablet nearby, or on a security key.',
  codes: 'Get recovery codes',
  loss: 'If you lose your passkey',
  script: {
    unnamed: 'Passkey',
    synced: 'synced between your devices',
    notSynced: 'on one device only',
    added: 'Added {when}',
    used: 'last used {when}',
    unused: 'not used to sign in yet',
    renameOne: 'Rename {name}',
    removeOne: 'Remove {name}',
    lossSynced:
      'You have one passkey, and it is synced: it comes along to new devices that use the same passkey manager. Should you lose that passkey manager, you cannot sign in any more. There is no password and no e-mail to fall back on.',
    lossOneDevice:
      'Your only passkey is on one device. If that device is lost or breaks, you cannot sign in any more. There is no password and no e-mail to fall back on.',
    lossUnknown:
      'You have one passkey. If you lose it, you cannot sign in any more. There is no password and no e-mail to fall back on.',
    lossAdvice: 'Add a second passkey in another place, and keep recovery codes.',
    lossAdvicePasskey: 'Add a second passkey in another place.',
    lossCodes:
      'You have one passkey. If you lose it, a recovery code lets you in to add another one: {left}.',
    codesLeft: counted({ one: '{n} code is left', other: '{n} codes are left' }),
    adding: 'Your device asks you to save a passkey…',
    doneAdd: 'Passkey added. Rename it, so that you know it again.',
    cancelledAdd: 'Cancelled or timed out. No passkey was added. You can try again.',
    alreadyThere:
      'There is a passkey of this account in that place already. Choose another device, passkey manager or security key.',
    renameTitle: 'Rename passkey',
    renameText: 'A name that tells you where this passkey is, such as “Work laptop”.',
    renameLabel: 'Name',
    renameHint: '1 to 40 characters.',
    renameAct: 'Save',
    renameFault: 'The name {fault}.',
    doneRename: 'Passkey renamed.',
    removeTitle: 'Remove {name}?',
    removeText:
      'It no longer signs you in, and where you are signed in with it you are signed out, except here. Your passkey manager may still keep it; delete it there too.',
    removeCurrentText:
      'You are signed in with it right now. It no longer signs you in after this session. Your passkey manager may still keep it; delete it there too.',
    removeAct: 'Remove passkey',
    doneRemove: 'Passkey removed.',
    lastTitle: 'This is your last passkey',
    lastText:
      'It cannot be removed, because nobody could sign in to your account any more. Add another one first, then remove this one.',
    addNow: 'Add a passkey',
    lastNow: 'It is your last passkey by now, so it stays. Add another one first.',
  },
};
