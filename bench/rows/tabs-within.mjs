import { ours } from '../driver/ours.mjs';
import { inMemory, other } from '../driver/peers.mjs';
import { inTurn } from '../driver/rounds.mjs';
import { hubTabs, inPairs, otherTabs } from '../driver/tabs.mjs';

const relayed = (protocol) => (server) => inPairs(otherTabs(protocol, [server]));

export const row = inTurn({
  operation: 'tab to tab, within a replica: 50 characters to a tab that is named',
  sides: [
    ...ours(async (server) => inPairs(await hubTabs([server])), {
      sqlite: { against: 'socket.io, one process' },
      postgres: { against: 'socket.io, one process', goals: { server: [], rate: [85_000] } },
    }),
    other('socket.io, one process', relayed('socket.io'), inMemory('socket-io')),
    other('bare ws', relayed('relay'), inMemory('ws-relay')),
  ],
});
