// How a tab says things, by what it is connected to: all of them with the same few lines on this side.

const HUB = {
  path: '/svc/me/tabs',
  /** The name of the tab, once an event tells it. */
  nameIn: (text) =>
    text.startsWith('{"event":"welcome"') ? JSON.parse(text).data.tabId : undefined,
  message: (to) => JSON.stringify({ event: 'send', data: { to, body: 'x'.repeat(50) } }),
  isMessage: (text) => text.startsWith('{"event":"message"'),
  isRefusal: (text) => text.startsWith('{"event":"error"'),
};

/** Engine.IO 4 and Socket.IO 5, as far as a tab needs them: `2` is a ping, `40` connects, `42` is an event. */
const SOCKET_IO = {
  path: '/socket.io/?EIO=4&transport=websocket',
  greeting: '40',
  nameIn: (text) => (text.startsWith('40') ? JSON.parse(text.slice(2)).sid : undefined),
  message: (to) => `42${JSON.stringify(['send', { to, body: 'x'.repeat(50) }])}`,
  isMessage: (text) => text.startsWith('42["message"'),
  isRefusal: (text) => text.startsWith('4') && !/^4[02]/.test(text),
  answerTo: (text) => (text === '2' ? '3' : undefined),
};

/** A relay on bare ws, which speaks as the hub does. */
const RELAY = { ...HUB, path: '/' };

export const PROTOCOLS = { hub: HUB, 'socket.io': SOCKET_IO, relay: RELAY };
