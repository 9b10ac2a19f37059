import { randomUUID } from 'node:crypto';
import { eventually } from '../../../../../test/support/eventually.js';
import type { KnownClient } from '../client-metadata.js';
import type { ClientDocumentCache, KnownDocument } from './client-document-cache.js';

const MINUTE = 60_000;
const NOT_FOUND = { reason: 'status 404', transient: false };
const BROKEN = { reason: 'status 500', transient: true };

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
    await one().putDocument(id, stale, MINUTE);
    expect(await another().find(id)).toEqual({ document: stale });
    expect(await another().find(id)).toEqual({ document: stale });
  });

  it('gives the document that was put last', async () => {
    const [older, newer] = [knownDocument(id), knownDocument(id, { freshUntil: 7 })];
    await one().putDocument(id, older, MINUTE);
    await another().putDocument(id, newer, MINUTE);
    expect(await one().find(id)).toEqual({ document: newer });
  });

  it('keeps identifiers apart', async () => {
    await one().putDocument(id, knownDocument(id), MINUTE);
    await one().putRefusal(`${id}x`, NOT_FOUND, MINUTE);
    expect(await one().find(`${id}x`)).toEqual({ refusal: NOT_FOUND });
    expect(await one().find(`${id}xy`)).toEqual({});
  });

  it('keeps a document beside a later refusal', async () => {
    const document = knownDocument(id);
    await one().putDocument(id, document, MINUTE);
    await another().putRefusal(id, BROKEN, MINUTE);
    expect(await one().find(id)).toEqual({ document, refusal: BROKEN });
  });

  it('forgets a refusal at its end', async () => {
    const end = Date.now() + 2_000;
    await one().putRefusal(id, NOT_FOUND, 2_000);
    expect(await another().find(id)).toEqual({ refusal: NOT_FOUND });
    await eventually(async () => expect(await another().find(id)).toEqual({}));
    expect(Date.now()).toBeGreaterThanOrEqual(end);
  });

  it('forgets a document that serves nobody any more', async () => {
    await one().putDocument(id, knownDocument(id, { lastGoodUntil: Date.now() + 20 }), MINUTE);
    await waitUntil(Date.now() + 22);
    expect(await another().find(id)).toEqual({});
  });

  it('forgets a document that nobody keeps at the end of its lifetime', async () => {
    await one().putDocument(id, knownDocument(id), 20);
    await waitUntil(Date.now() + 22);
    expect(await another().find(id)).toEqual({});
    await another().keep(id);
    expect(await another().find(id)).toEqual({});
  });

  it('gives a document that was kept until it serves nobody any more', async () => {
    const lastGoodUntil = Date.now() + 4_000;
    const document = knownDocument(id, { lastGoodUntil });
    await one().putDocument(id, document, 1_500);
    await another().keep(id);
    await waitUntil(Date.now() + 1_510);
    await another().keep(id);
    expect(await one().find(id)).toEqual({ document });
    await eventually(async () => expect(await one().find(id)).toEqual({}));
    expect(Date.now()).toBeGreaterThanOrEqual(lastGoodUntil);
  });

  it('forgets no document any sooner for a newer one', async () => {
    await one().putDocument(id, knownDocument(id), MINUTE);
    const newer = knownDocument(id, { freshUntil: 7 });
    await another().putDocument(id, newer, 20);
    await waitUntil(Date.now() + 22);
    expect(await one().find(id)).toEqual({ document: newer });
  });

  it('never gives a document whose time is over', async () => {
    await one().putDocument(id, knownDocument(id, { lastGoodUntil: Date.now() - 1 }), MINUTE);
    expect(await one().find(id)).toEqual({});
  });
}

async function waitUntil(time: number) {
  while (Date.now() <= time) await new Promise((resolve) => setTimeout(resolve, 5));
}
