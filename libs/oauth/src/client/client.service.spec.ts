import type { ClientDocumentCache } from '../client-document/client-document-cache.js';
import type { ClientDocumentsService } from '../client-document/client-document.service.js';
import { ClientsService } from './client.service.js';
import type { ClientStore } from './client.store.js';

describe('clients', () => {
  const kept: string[] = [];
  const documents = {
    find: async (...asked: unknown[]) => ['document', ...asked],
  };
  const cache = { keep: async (id: string) => void kept.push(id) };
  const registered = {
    find: async (id: string) => (id === 'aB3' ? ['registration', id] : undefined),
  };
  const clients = new ClientsService(
    documents as unknown as ClientDocumentsService,
    cache as unknown as ClientDocumentCache,
    registered as unknown as ClientStore,
  );

  it('are looked for where their identifier says', async () => {
    const mayFetch = async () => true;
    expect(await clients.find('https://a.test/b', mayFetch)).toEqual([
      'document',
      'https://a.test/b',
      mayFetch,
    ]);
    expect(await clients.find('aB3', mayFetch)).toEqual(['registration', 'aB3']);
    expect(await clients.find('http://a.test/b')).toBeUndefined();
  });

  it('that publish themselves are kept alive', async () => {
    await clients.touch('https://a.test/b');
    await clients.touch('aB3');
    expect(kept).toEqual(['https://a.test/b']);
  });
});
