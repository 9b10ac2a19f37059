import { ours } from '../driver/ours.mjs';
import { inMemory, other } from '../driver/peers.mjs';
import { inTurn } from '../driver/rounds.mjs';
import { hubTabs, inPairs, otherTabs } from '../driver/tabs.mjs';

const relayed = (protocol) => (server, options) => inPairs(otherTabs(protocol, [server], options));

export const row = inTurn({
  operation: 'tab to tab, one replica: 50 characters to a tab that is named',
  sides: [
    ...ours(
      { prepare: async (server, options) => inPairs(await hubTabs([server], options)) },
      {
        sqlite: { against: 'socket.io (one process)' },
        postgres: { against: 'socket.io (one process)', goals: { server: [], rate: [85_000] } },
      },
    ),
    other({
      name: 'socket.io (one process)',
      start: inMemory('socket-io'),
      prepare: relayed('socket.io'),
    }),
    other({ name: 'bare ws', start: inMemory('ws-relay'), prepare: relayed('relay') }),
  ],
});
