export { describeUserRunLimit } from './limits/user-run-limit.contract.js';
export { describeContentScreener, type KnownTexts } from './screening/content-screener.contract.js';
