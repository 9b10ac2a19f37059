export const profile = {
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
};
