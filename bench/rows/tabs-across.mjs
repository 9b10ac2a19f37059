import { asTwoReplicas } from '../driver/ours.mjs';
import { asTwoInServices, other } from '../driver/peers.mjs';
import { inTurn } from '../driver/rounds.mjs';
import { hubTabs, inPairs, otherTabs } from '../driver/tabs.mjs';

/** Every tab's partner is at the other replica. */
export const row = inTurn({
  operation: 'tab to tab, two replicas: 50 characters to a tab that is named',
  sides: [
    {
      name: 'Postgres + Redis',
      needsServices: true,
      start: asTwoReplicas,
      prepare: async ({ servers }, options) => inPairs(await hubTabs(servers, options)),
      against: 'socket.io (Redis adapter)',
      goals: { server: [], rate: [75_000, 115_000] },
    },
    other({
      name: 'socket.io (Redis adapter)',
      needsServices: true,
      start: asTwoInServices('socket-io'),
      prepare: ({ servers }, options) => inPairs(otherTabs('socket.io', servers, options)),
    }),
  ],
});
