import { describeClientDocumentCache } from './client-document-cache.contract.js';
import { InProcessClientDocumentCache } from './client-document-cache.in-process.js';

describe('ClientDocumentCache in this process', () => {
  const cache = new InProcessClientDocumentCache();
  describeClientDocumentCache(() => [cache]);
});
