import { counted } from '#libs/ui-templates';

export const passkeys = {
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
};
