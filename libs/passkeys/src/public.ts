// What the package exports as `gatehouse/passkeys`: docs/guides/extending.md lists it. The rest of this lib may change.
export { type Challenge, ChallengeStore } from './challenge/challenge.store.js';
