import { describeClientDocumentCache } from './client-document-cache.contract.js';
import { InProcessClientDocumentCache } from './client-document-cache.js';

describe('ClientDocumentCache in this process', () => {
  const cache = new InProcessClientDocumentCache();
  describeClientDocumentCache(() => [cache]);
});
