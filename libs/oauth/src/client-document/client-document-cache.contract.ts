import { randomUUID } from 'node:crypto';
import { eventually } from '#libs/platform/testing';
import type { KnownClient } from '../client/client.js';
import type { KnownDocument } from './client-document.js';
import type { ClientDocumentCache } from './client-document-cache.js';

const MINUTE = 60_000;
const MIB = 1024 * 1024;
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

/** The contract of every ClientDocumentCache; `caches` are replicas that share one state. */
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

  it('forgets a document when its last good time is over', async () => {
    await one().putDocument(id, knownDocument(id, { lastGoodUntil: Date.now() + 20 }), MINUTE);
    await waitUntil(Date.now() + 22);
    expect(await another().find(id)).toEqual({});
  });

  it('forgets a document on trial at the end of its lifetime', async () => {
    await one().putDocument(id, knownDocument(id), 20);
    await waitUntil(Date.now() + 22);
    expect(await another().find(id)).toEqual({});
    await another().keep(id);
    expect(await another().find(id)).toEqual({});
  });

  it('gives a kept document until its last good time is over', async () => {
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

  it('keeps the newer document of a client that is kept', async () => {
    await one().putDocument(id, knownDocument(id), MINUTE);
    await one().keep(id);
    const newer = knownDocument(id, { freshUntil: 7 });
    await another().putDocument(id, newer, 20);
    await waitUntil(Date.now() + 22);
    expect(await one().find(id)).toEqual({ document: newer });
  });

  it('keeps a document that is put again before, after or during its keep', async () => {
    const ids = Array.from({ length: 32 }, (_, n) => `${id}/${n}`);
    for (const each of ids) await one().putDocument(each, knownDocument(each), 2_000);
    const put = (each: string) => one().putDocument(each, knownDocument(each), 2_000);
    const keep = (each: string) => another().keep(each);
    await Promise.all(
      ids.flatMap((each, n) => (n % 2 === 0 ? [put(each), keep(each)] : [keep(each), put(each)])),
    );
    await waitUntil(Date.now() + 2_010);
    const found = await Promise.all(ids.map((each) => another().find(each)));
    expect(found.filter(({ document }) => document)).toHaveLength(ids.length);
  });

  it('never gives a document whose time is over', async () => {
    await one().putDocument(id, knownDocument(id, { lastGoodUntil: Date.now() - 1 }), MINUTE);
    expect(await one().find(id)).toEqual({});
  });

  describe('under a flood', () => {
    const PADDING = 'x'.repeat(64 * 1024);
    const ids = (count: number, name = '') =>
      Array.from({ length: count }, (_, n) => `${id}/${name}${n}`);
    const padded = (each: string) => {
      const document = knownDocument(each);
      return { ...document, client: { ...document.client, client_name: PADDING } };
    };
    /** Puts entries one after the other and reads `used` in between, so that it is never the LRU entry. */
    const flood = async (all: string[], put: (each: string) => Promise<void>, used = id) => {
      for (const each of all) {
        await put(each);
        await one().find(used);
      }
    };
    const known = async (all: string[]) => {
      const found = await Promise.all(all.map((each) => another().find(each)));
      return found.flatMap(({ document, refusal }) => [document, refusal].filter(Boolean));
    };
    const bytes = (entries: unknown[]) => JSON.stringify(entries).length;

    it('holds 4 MiB of documents on trial: what was not asked for goes first', async () => {
      await one().putDocument(id, knownDocument(id), MINUTE);
      const all = ids(100);
      await flood(all, (each) => one().putDocument(each, padded(each), MINUTE));
      expect((await one().find(id)).document).toBeDefined();
      expect((await one().find(all[0] ?? '')).document).toBeUndefined();
      expect((await one().find(all.at(-1) ?? '')).document).toBeDefined();
      const held = bytes(await known(all));
      expect(held).toBeLessThan(4 * MIB);
      expect(held).toBeGreaterThan(3 * MIB);
    });

    it('forgets no kept document for others, and holds 16 MiB of kept ones', async () => {
      const keep = async (each: string) => {
        await one().putDocument(each, padded(each), MINUTE);
        await one().keep(each);
      };
      await keep(id);
      const strangers = ids(100, 'stranger');
      await flood(strangers, (each) => one().putDocument(each, padded(each), MINUTE), strangers[0]);
      expect((await one().find(id)).document).toBeDefined();
      const all = ids(300);
      await flood(all, keep);
      expect((await one().find(id)).document).toBeDefined();
      const held = bytes(await known(all));
      expect(held).toBeLessThan(16 * MIB);
      expect(held).toBeGreaterThan(14 * MIB);
    });

    it('holds 1 MiB of refusals, and forgets no document for them', async () => {
      await one().putDocument(id, knownDocument(id), MINUTE);
      const all = ids(100);
      const refusal = { reason: 'x'.repeat(16 * 1024), transient: false };
      await flood(all, (each) => one().putRefusal(each, refusal, MINUTE), all[0]);
      expect((await one().find(id)).document).toBeDefined();
      expect(await one().find(all[0] ?? '')).toEqual({ refusal });
      expect(await one().find(all[1] ?? '')).toEqual({});
      const held = bytes(await known(all));
      expect(held).toBeLessThan(MIB);
      expect(held).toBeGreaterThan(MIB / 2);
    });
  });
}

async function waitUntil(time: number) {
  while (Date.now() <= time) await new Promise((resolve) => setTimeout(resolve, 5));
}
