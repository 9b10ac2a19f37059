import { counted } from '#libs/ui-templates';

export const recoveryCodes = {
  heading: 'Recovery codes',
  about:
    'For the day when all your passkeys are lost: a code lets you in once, to add a new passkey.',
  shownHeading: 'Your new recovery codes',
  shown:
    'They are shown only now. Each lets you in once, without anything else, so keep them where nobody else gets at them: in a password manager or on paper, and not on your phone alone.',
  copy: 'Copy',
  download: 'Download',
  print: 'Print',
  done: 'I have kept them',
  script: {
    none: 'You have none.',
    used: 'All of them are used. Create new ones.',
    left: counted({
      one: '{n} of {all} is left, created {when}.',
      other: '{n} of {all} are left, created {when}.',
    }),
    create: 'Create recovery codes',
    createNew: 'Create new codes',
    creating: 'One moment…',
    askTitle: 'Create new recovery codes?',
    askText: 'The older ones are good no more, wherever you keep them.',
    askAct: 'Create new codes',
    copied: 'Copied.',
    copyFailed: 'The browser did not let them be copied. Select them and press the copy keys.',
    owner: 'Recovery codes of {name} at {page}, created on {date}.',
    fileName: 'recovery-codes-{host}.txt',
    file: '{owner}\nEach lets you in once, at {page}/recover\n\n{codes}\n',
  },
};
