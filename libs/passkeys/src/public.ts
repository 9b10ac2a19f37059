// What the package exports as `gatehouse/passkeys`: docs/guides/extending.md lists it. The rest of this lib may change.
export type { Challenge } from './challenges/challenge.js';
export { ChallengeStore } from './challenges/challenge-store.js';
