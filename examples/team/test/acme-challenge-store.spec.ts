import { describeChallengeStore } from 'gatehouse/testing';
import { AcmeChallengeStore } from '../src/acme-challenge-store.js';

describe('AcmeChallengeStore', () => {
  const store = new AcmeChallengeStore();

  describeChallengeStore(() => [store]);
});
