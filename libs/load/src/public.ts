// What the package exports as `gatehouse/load`: docs/guides/extending.md lists it. All else of this lib may change.
export { whileWaiting } from './index.js';
