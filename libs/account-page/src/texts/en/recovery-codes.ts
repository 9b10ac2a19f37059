import { counted } from '#libs/ui-templates';

export const recoveryCodes = {
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
      'The new codes are shown only once, and you have not copied, downloaded or printed them.',
    leaveAct: 'Sign out',
  },
};
