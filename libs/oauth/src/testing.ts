export {
  knownDocument,
  describeClientDocumentCache,
} from './clients/documents/client-document-cache.contract.js';
