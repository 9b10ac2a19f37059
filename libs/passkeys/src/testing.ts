export { describeChallengeStore } from './challenges/challenge-store.contract.js';
