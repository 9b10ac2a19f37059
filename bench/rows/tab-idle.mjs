import { ofIdleTabs } from '../driver/idle-tabs.mjs';
import { ours } from '../driver/ours.mjs';
import { inMemory, inServices, other } from '../driver/peers.mjs';
import { hubTabs, otherTabs } from '../driver/tabs.mjs';

const toHub = (server, options) => hubTabs([server], options);
const to = (protocol) => (server, options) => otherTabs(protocol, [server], options);

export const row = ofIdleTabs({
  operation: 'idle tab: memory of each, and processor time to connect one, presence included',
  sides: [
    ...ours(
      { addresses: toHub },
      {
        sqlite: { against: 'socket.io (one process)' },
        postgres: {
          against: 'socket.io (Redis adapter)',
          goals: { heap: [8, 5], resident: [24], connect: [250] },
        },
      },
    ),
    other({
      name: 'socket.io (one process)',
      start: inMemory('socket-io'),
      addresses: to('socket.io'),
    }),
    other({
      name: 'socket.io (Redis adapter)',
      needsServices: true,
      start: inServices('socket-io'),
      addresses: to('socket.io'),
    }),
    other({ name: 'bare ws', start: inMemory('ws-relay'), addresses: to('relay') }),
  ],
});
