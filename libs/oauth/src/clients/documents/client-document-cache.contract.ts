import { randomUUID } from 'node:crypto';
import type { KnownClient } from '../client-metadata.js';
import type { ClientDocumentCache, KnownDocument } from './client-document-cache.js';

const MINUTE = 60_000;

export const knownDocument = (clientId: string, members: Partial<KnownDocument> = {}) => ({
  client: knownClient(clientId),
  freshUntil: Date.now() + MINUTE,
  lastGoodUntil: Date.now() + 10 * MINUTE,
  ...members,
});

const knownClient = (clientId: string): KnownClient => ({
  client_id: clientId,
  client_name: 'App \u{1f600}',
  redirect_uris: ['https://app.example/cb'],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
});

/** What every ClientDocumentCache promises; `caches` are replicas that share one state. */
export function describeClientDocumentCache(caches: () => readonly ClientDocumentCache[]) {
  let id: string;
  const one = () => caches()[0] as ClientDocumentCache;
  const another = () => caches().at(-1) as ClientDocumentCache;

  beforeEach(() => {
    id = `https://app.example/${randomUUID()}`;
  });

  it('knows nothing of what was never put', async () => {
    expect(await one().find(id)).toEqual({});
  });

  it('gives a document as it was put, to every replica, also when it is no longer fresh', async () => {
    const stale = knownDocument(id, { freshUntil: Date.now() - 1 });
    await one().putDocument(id, stale);
    expect(await another().find(id)).toEqual({ document: stale });
    expect(await another().find(id)).toEqual({ document: stale });
  });

  it('gives the document that was put last', async () => {
    const [older, newer] = [knownDocument(id), knownDocument(id, { freshUntil: 7 })];
    await one().putDocument(id, older);
    await another().putDocument(id, newer);
    expect(await one().find(id)).toEqual({ document: newer });
  });

  it('keeps identifiers apart', async () => {
    await one().putDocument(id, knownDocument(id));
    await one().putRefusal(`${id}x`, 'status 404', MINUTE);
    expect(await one().find(`${id}x`)).toEqual({ refusal: 'status 404' });
    expect(await one().find(`${id}xy`)).toEqual({});
  });

  it('keeps a document beside a later refusal', async () => {
    const document = knownDocument(id);
    await one().putDocument(id, document);
    await another().putRefusal(id, 'status 500', MINUTE);
    expect(await one().find(id)).toEqual({ document, refusal: 'status 500' });
  });

  it('forgets a refusal at its end', async () => {
    await one().putRefusal(id, 'status 404', 20);
    expect(await another().find(id)).toEqual({ refusal: 'status 404' });
    await waitUntil(Date.now() + 22);
    expect(await another().find(id)).toEqual({});
  });

  it('forgets a document that serves nobody any more', async () => {
    await one().putDocument(id, knownDocument(id, { lastGoodUntil: Date.now() + 20 }));
    await waitUntil(Date.now() + 22);
    expect(await another().find(id)).toEqual({});
  });

  it('never gives a document whose time is over', async () => {
    await one().putDocument(id, knownDocument(id, { lastGoodUntil: Date.now() - 1 }));
    expect(await one().find(id)).toEqual({});
  });
}

async function waitUntil(time: number) {
  while (Date.now() <= time) await new Promise(setImmediate);
}
