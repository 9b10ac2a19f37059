export { startAccountsApp, SWEEP_MS } from './accounts-app.testbed.js';
export { describeThrottlerStorage } from './visitor-limit/throttler-storage.contract.js';
