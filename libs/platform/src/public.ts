// What the package exports as `gatehouse/platform`: docs/guides/extending.md lists it. All else of this lib may change.
export { whileWaiting } from './request-context.js';
