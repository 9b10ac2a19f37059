export { describeUserRunLimit } from './limits/user-run-limit.contract.js';
export {
  ACCEPTED_TEXT,
  describeContentScreener,
  REFUSED_TEXT,
} from './screening/content-screener.contract.js';
