export { describeThrottlerStorage } from './rate-limit/throttler-storage.contract.js';
