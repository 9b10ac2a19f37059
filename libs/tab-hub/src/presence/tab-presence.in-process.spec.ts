import { describeTabPresence } from './tab-presence.contract.js';
import { InProcessTabPresence } from './tab-presence.in-process.js';

describe('InProcessTabPresence', () => {
  describeTabPresence(async () => {
    const presence = new InProcessTabPresence();
    return { replicas: [presence, presence], close: async () => {} };
  });
});
