import { describeChallengeStore } from '#libs/passkeys/testing';
import { AcmeChallengeStore } from './acme-challenge-store.js';

describe('AcmeChallengeStore', () => {
  const store = new AcmeChallengeStore();

  describeChallengeStore(() => [store]);
});
