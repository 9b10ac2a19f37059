export { describeVisitWindows } from './rate-limit/throttler-storage.contract.js';
