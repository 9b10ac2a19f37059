export { describeThrottlerStorage } from './visitor-limit/throttler-storage.contract.js';
