import { InProcessClientDocumentCache } from './client-document-cache.js';
import { describeClientDocumentCache } from './client-document-cache.contract.js';

describe('ClientDocumentCache in this process', () => {
  const cache = new InProcessClientDocumentCache();
  describeClientDocumentCache(() => [cache]);
});
