import { describeChallengeStore, describeFullChallengeStore } from './challenge.store.contract.js';
import { InProcessChallengeStore } from './challenge.store.js';

describe('ChallengeStore in this process', () => {
  const store = new InProcessChallengeStore();
  describeChallengeStore(() => [store]);
  describeFullChallengeStore(async (capacity) => new InProcessChallengeStore(capacity));
});
