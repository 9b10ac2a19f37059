export const apps = {
  heading: 'Connected apps',
  about:
    'Apps you’ve allowed to use your account. To connect an app, give it this address: {address}',
  none: 'You haven’t connected any apps.',
  disconnect: 'Disconnect',
  may: 'It can',
  script: {
    published: 'Published by {host}',
    unverified: 'Name unverified, redirects to {host}',
    unverifiedApp: 'Name unverified, opens an app on your device',
    connected: 'Connected {when}',
    used: 'last used {when}',
    unused: 'never used',
    moment: 'on {moment}',
    disconnectOne: 'Disconnect {name}, connected {when}',
    askTitle: 'Disconnect {name}?',
    askText:
      'It will lose access to your account immediately. To use it again, connect it from the app.',
    askAct: 'Disconnect',
    done: 'App disconnected.',
  },
};
