export const profile = {
  rename: 'Change name',
  script: {
    title: 'Change your name',
    text: 'Your passkeys and your connected apps show it. Some passkey managers keep the old one.',
    label: 'Your name',
    hint: '1 to 40 characters.',
    act: 'Save',
    fault: 'Your name {fault}.',
    done: 'Your name is changed.',
  },
};
