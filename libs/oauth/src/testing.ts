export {
  knownDocument,
  describeClientDocumentCache,
} from './clients/documents/client-document-cache.contract.js';
export { describeRegistrationBudget } from './clients/registrations/registration-budget.contract.js';
