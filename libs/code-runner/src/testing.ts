export { itIsAUserRunLimit } from './limits/user-run-limit.contract.js';
export {
  ACCEPTED_TEXT,
  REFUSED_TEXT,
  itIsAContentScreener,
} from './screening/content-screener.contract.js';
