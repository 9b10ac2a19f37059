import { describeClientDocumentCache, knownDocument } from './client-document-cache.contract.js';
import { InProcessClientDocumentCache } from './client-document-cache.in-process.js';

describe('ClientDocumentCache in this process', () => {
  const cache = new InProcessClientDocumentCache();
  describeClientDocumentCache(() => [cache]);

  it('holds no more than its capacity: what was not asked for goes first', async () => {
    const small = new InProcessClientDocumentCache(2);
    for (const id of ['a', 'b']) await small.putDocument(id, knownDocument(id), 60_000);
    await small.find('a');
    await small.putDocument('c', knownDocument('c'), 60_000);
    expect((await small.find('b')).document).toBeUndefined();
    expect((await small.find('a')).document).toBeDefined();
    expect((await small.find('c')).document).toBeDefined();
  });

  it('forgets no document for refusals', async () => {
    const refusal = { reason: 'status 404', transient: false };
    const small = new InProcessClientDocumentCache(2);
    await small.putDocument('a', knownDocument('a'), 60_000);
    for (const id of ['x', 'y', 'z']) await small.putRefusal(id, refusal, 60_000);
    expect((await small.find('a')).document).toBeDefined();
    expect(await small.find('x')).toEqual({});
    expect(await small.find('z')).toEqual({ refusal });
  });
});
