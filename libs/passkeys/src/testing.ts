export { describeChallengeStore } from './challenge/challenge.store.contract.js';
