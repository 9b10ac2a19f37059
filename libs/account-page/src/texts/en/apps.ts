export const apps = {
  heading: 'Connected apps',
  about: 'What you allowed to use your account. To connect one, give it this address: {address}',
  none: 'No app is connected.',
  disconnect: 'Disconnect',
  may: 'It may',
  script: {
    published: 'Published by {host}',
    unverified: 'Name unverified, returns to {host}',
    unverifiedApp: 'Name unverified, opens an app on the device',
    connected: 'Connected {when}',
    used: 'last used {when}',
    unused: 'not used yet',
    moment: 'on {moment}',
    disconnectOne: 'Disconnect {name}, connected {when}',
    askTitle: 'Disconnect {name}?',
    askText:
      'It can do nothing in your account from then on. You can connect it again, from the app.',
    askAct: 'Disconnect',
    done: 'Disconnected.',
  },
};
