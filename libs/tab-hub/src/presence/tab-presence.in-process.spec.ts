import { describeNotesOfOffers, describeTabPresence } from './tab-presence.contract.js';
import { InProcessTabPresence } from './tab-presence.in-process.js';

describe('InProcessTabPresence', () => {
  const open = async () => {
    const presence = new InProcessTabPresence();
    return { replicas: [presence, presence], close: async () => {} } as const;
  };

  describeTabPresence(open);

  describe('and notes on offers', () => {
    describeNotesOfOffers(open);
  });
});
