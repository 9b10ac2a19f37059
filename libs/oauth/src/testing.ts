export {
  knownDocument,
  describeClientDocumentCache,
} from './client-document/client-document-cache.contract.js';
export { describeRegistrationBudget } from './registration/registration-budget.contract.js';
export {
  DocumentHost,
  hostIdentity,
  type SeenRequest,
  startDocumentHost,
} from './testbed/document-host.testbed.js';
