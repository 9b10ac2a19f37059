import type { Redis } from 'ioredis';
import { type DocumentHost, startDocumentHost } from '../testbed/document-host.testbed.js';
import { describeOnRedis, eventually } from '#libs/platform/testing';
import { ClientDocumentError } from './client-document.js';
import { type ClientDocumentCache, InProcessClientDocumentCache } from './client-document-cache.js';
import { RedisClientDocumentCache } from './client-document-cache.redis.js';
import { type ClientDocumentPolicy, DocumentFetch } from './document-fetch.js';
import { ClientsService } from './clients.service.js';
import type { ClientStore } from '../client/client.store.js';

const NONE_REGISTERED = { find: async () => undefined } as unknown as ClientStore;
const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;
const mayFetch = async () => true;
const REDIRECTS = { redirect_uris: ['https://app.example/cb'] };
const JSON_TYPE = { 'content-type': 'application/json' };

function documentsFrom(
  { privateHost, certificate }: DocumentHost,
  cache: ClientDocumentCache,
  policy: Partial<ClientDocumentPolicy> = {},
) {
  const hosts = { blockedHosts: [], privateHosts: [privateHost], ...policy };
  const fetch = new DocumentFetch({ ...hosts, certificates: [certificate] });
  return new ClientsService(fetch, cache, NONE_REGISTERED);
}

describe('client documents', () => {
  let host: DocumentHost;
  let cache: InProcessClientDocumentCache;
  let documents: ClientsService;

  const open = (policy?: Partial<ClientDocumentPolicy>) => documentsFrom(host, cache, policy);
  const breakDown = (path: string) =>
    host.answer(path, (_request, response) => response.writeHead(500, JSON_TYPE).end('{}'));

  beforeEach(async () => {
    host = await startDocumentHost({ '/client': { client_name: 'App', ...REDIRECTS } });
    cache = new InProcessClientDocumentCache();
    documents = open();
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await host.close();
  });

  const later = (ms: number) => {
    const now = Date.now() + ms;
    jest.spyOn(Date, 'now').mockImplementation(() => now);
  };

  it('are looked for only where the identifier is an https URL', async () => {
    expect(await documents.find('aB3')).toBeUndefined();
    expect(await documents.find('http://a.test/b')).toBeUndefined();
  });

  it('are kept once their client is granted something, registered clients have none', async () => {
    const kept = jest.spyOn(cache, 'keep');
    await documents.keepDocument(host.url('/client'));
    await documents.keepDocument('aB3');
    expect(kept.mock.calls).toEqual([[host.url('/client')]]);
  });

  it('are found by their URL, normalised', async () => {
    expect(await documents.find(host.url('/client'))).toMatchObject({
      client_id: host.url('/client'),
      client_name: 'App',
      ...REDIRECTS,
      token_endpoint_auth_method: 'none',
    });
  });

  it('are fetched again when they are no longer fresh', async () => {
    const id = host.publish('/hour', REDIRECTS, { 'cache-control': 'max-age=3600' });
    await documents.find(id);
    await cache.keep(id);
    later(59 * MINUTE);
    await documents.find(id);
    expect(host.countOf('/hour')).toBe(1);
    later(2 * MINUTE);
    host.publish('/hour', { ...REDIRECTS, client_name: 'New' });
    expect(await documents.find(id)).toMatchObject({ client_name: 'New' });
    expect(host.countOf('/hour')).toBe(2);
  });

  it('are fetched again after a minute when their host says nothing', async () => {
    for (const ms of [0, 59_000, 2_000]) {
      later(ms);
      await documents.find(host.url('/client'));
    }
    expect(host.countOf('/client')).toBe(2);
  });

  it('are not asked for again within 30 seconds of a refusal', async () => {
    const id = breakDown('/broken');
    await expect(documents.find(id)).rejects.toThrow(`${id} was answered with status 500`);
    later(29_000);
    await expect(documents.find(id)).rejects.toThrow(`${id} was answered with status 500`);
    expect(host.countOf('/broken')).toBe(1);
    later(2_000);
    host.publish('/broken', REDIRECTS);
    await expect(documents.find(id)).resolves.toMatchObject({ client_id: id });
  });

  it('serve a refresh from the last good copy for 7 days, and nothing else', async () => {
    const id = host.url('/client');
    await documents.find(id);
    await cache.keep(id);
    breakDown('/client');
    later(6.9 * DAY);
    await expect(documents.find(id, mayFetch)).resolves.toMatchObject({
      client_id: id,
    });
    await expect(documents.find(id, mayFetch)).resolves.toMatchObject({
      client_id: id,
    });
    await expect(documents.find(id)).rejects.toThrow('status 500');
    expect(host.countOf('/client')).toBe(2);
    later(0.2 * DAY);
    await expect(documents.find(id, mayFetch)).rejects.toThrow('status 500');
  });

  it.each(['max-age=60', 'max-age=86400'])(
    'are forgotten after ten minutes when no grant uses them: %s',
    async (cacheControl) => {
      const id = host.publish('/client', REDIRECTS, { 'cache-control': cacheControl });
      await documents.find(id);
      breakDown('/client');
      later(9.9 * MINUTE);
      await expect(documents.find(id, mayFetch)).resolves.toBeDefined();
      later(0.2 * MINUTE);
      await expect(documents.find(id, mayFetch)).rejects.toThrow('status 500');
    },
  );

  it('are fresh for as long as their host says from the first grant on', async () => {
    const id = host.publish('/client', REDIRECTS, { 'cache-control': 'max-age=7200' });
    await documents.find(id);
    later(9 * MINUTE);
    await cache.keep(id);
    later(110 * MINUTE);
    await documents.find(id);
    expect(host.countOf('/client')).toBe(1);
    later(2 * MINUTE);
    await documents.find(id);
    expect(host.countOf('/client')).toBe(2);
  });

  it('are not fetched for a caller that may not, whatever is held or was refused', async () => {
    const mayNot = async () => false;
    const id = host.url('/client');
    const message = 'nothing was given to the client that asks';
    const unknown = { name: 'ClientDocumentError', message, transient: false };
    await expect(documents.find(id, mayNot)).rejects.toMatchObject(unknown);
    breakDown('/client');
    await expect(documents.find(id)).rejects.toHaveProperty('transient', true);
    await expect(documents.find(id, mayNot)).rejects.toMatchObject(unknown);
    host.publish('/client', REDIRECTS);
    later(31_000);
    await documents.find(id);
    later(5 * MINUTE);
    await expect(documents.find(id, mayNot)).resolves.toMatchObject({ client_id: id });
    expect(host.countOf('/client')).toBe(2);
  });

  it('stay kept when they are fetched again', async () => {
    const id = host.url('/client');
    await documents.find(id);
    await cache.keep(id);
    later(DAY);
    await documents.find(id);
    expect(host.countOf('/client')).toBe(2);
    breakDown('/client');
    later(5.9 * DAY);
    await expect(documents.find(id, mayFetch)).resolves.toBeDefined();
  });

  it('tell by their refusal, remembered or not, whether it is transient', async () => {
    const id = breakDown('/broken');
    const missing = host.url('/missing');
    for (const _ of ['fetched', 'remembered']) {
      await expect(documents.find(id)).rejects.toHaveProperty('transient', true);
      await expect(documents.find(missing)).rejects.toHaveProperty('transient', false);
    }
    expect(host.requests).toHaveLength(2);
    await expect(documents.find('https://a.test/')).rejects.toHaveProperty('transient', false);
  });

  it('serve a refresh from the new copy when there is one', async () => {
    await documents.find(host.url('/client'));
    later(2 * MINUTE);
    host.publish('/client', { ...REDIRECTS, client_name: 'New' });
    const client = await documents.find(host.url('/client'), mayFetch);
    expect(client?.client_name).toBe('New');
  });

  it.each([
    ['no JSON', '<html></html>', 'is not valid JSON'],
    ['a list', '[]', 'JSON object'],
    [
      'another identifier',
      JSON.stringify({ client_id: 'https://a.test/b', ...REDIRECTS }),
      'client_id',
    ],
    ['no redirect URIs', undefined, 'redirect_uris'],
    ['deep nesting', '['.repeat(5_000), 'is not valid JSON'],
  ])('are refused with %s', async (_what, text, message) => {
    const id = host.answer('/x', (_request, response) => {
      response.writeHead(200, JSON_TYPE).end(text ?? JSON.stringify({ client_id: host.url('/x') }));
    });
    await expect(documents.find(id)).rejects.toThrow(ClientDocumentError);
    await expect(documents.find(id)).rejects.toThrow(message);
    expect(host.countOf('/x')).toBe(1);
  });

  it('are refused when reading them fails in an unexpected way', async () => {
    const text = JSON.stringify({ client_id: host.url('/x'), ...REDIRECTS });
    const id = host.answer('/x', (_request, response) =>
      response.writeHead(200, JSON_TYPE).end(text),
    );
    const { stringify } = JSON;
    jest.spyOn(JSON, 'stringify').mockImplementation((value: unknown) => {
      if (Object(value)['redirect_uris'] === undefined) return stringify(value);
      throw new RangeError('Maximum call stack size exceeded');
    });
    const finding = documents.find(id);
    await expect(finding).rejects.toThrow(ClientDocumentError);
    await expect(finding).rejects.toThrow('cannot be read');
    await expect(finding).rejects.toHaveProperty('transient', false);
  });

  it.each<[string, Partial<ClientDocumentPolicy>]>([
    ['is blocked', { blockedHosts: ['localhost'] }],
    ['is not among the allowed ones', { allowedHosts: ['app.example'] }],
  ])('are never fetched nor served from a host that %s', async (_what, policy) => {
    await documents.find(host.url('/client'));
    const finding = open(policy).find(host.url('/client'), mayFetch);
    await expect(finding).rejects.toThrow('not allowed');
    expect(host.requests).toHaveLength(1);
  });

  it.each([
    ['https://app.example:8443/keys', 'is not on the default port'],
    ['https://keys.blocked.example/keys', 'is on a host that is not allowed'],
    ['https://KEYS.blocked.example./keys', 'is on a host that is not allowed'],
  ])('are refused when they name the key set %s', async (jwksUri, reason) => {
    const keys = { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: jwksUri };
    const id = host.publish('/keys', { ...REDIRECTS, ...keys });
    const finding = open({ blockedHosts: ['*.blocked.example'] }).find(id);
    await expect(finding).rejects.toThrow(`jwks_uri that ${reason}`);
  });

  it('are refused with a reason of at most 1,000 characters', async () => {
    const lookup = async () => Promise.reject(new Error('name, '.repeat(5_000)));
    const fetch = new DocumentFetch({ blockedHosts: [], privateHosts: [], lookup });
    const strangers = new ClientsService(fetch, cache, NONE_REGISTERED);
    const id = 'https://app.example/client';
    await expect(strangers.find(id)).rejects.toThrow('could not be fetched');
    expect((await cache.find(id)).refusal?.reason).toHaveLength(1_000);
  });

  it('are fetched once, also when a second request comes just before they are stored', async () => {
    const id = host.url('/client');
    const put = cache.putDocument.bind(cache);
    let second: Promise<unknown> | undefined;
    jest.spyOn(cache, 'putDocument').mockImplementationOnce(async (...document) => {
      second = documents.find(id);
      await new Promise(setImmediate);
      await put(...document);
    });
    expect(await documents.find(id)).toEqual(await second);
    expect(host.countOf('/client')).toBe(1);
  });

  it('are not held against their host when others keep all fetches busy', async () => {
    const hanging = Array.from({ length: 64 }, () => {
      host.answer('/hang', () => undefined);
      return documents.find(host.url('/hang'));
    });
    const settled = Promise.allSettled(hanging);
    await eventually(() => expect(host.countOf('/hang')).toBe(1));
    await expect(documents.find(host.url('/client'))).rejects.toThrow('too many');
    await settled;
    await expect(documents.find(host.url('/client'))).resolves.toBeDefined();
  });
});

describeOnRedis('client documents on two replicas', (connections) => {
  let host: DocumentHost;
  let replicas: ClientsService[];

  const replica = (redis: Redis) =>
    documentsFrom(host, new RedisClientDocumentCache(redis, new InProcessClientDocumentCache()));

  beforeAll(async () => {
    host = await startDocumentHost({ '/client': { redirect_uris: ['https://app.example/cb'] } });
    replicas = connections().map(replica);
  });
  afterAll(() => host.close());

  it('are fetched once', async () => {
    const clients = [];
    for (const documents of replicas) clients.push(await documents.find(host.url('/client')));
    expect(clients[1]).toEqual(clients[0]);
    expect(host.countOf('/client')).toBe(1);
  });

  it('are refused once', async () => {
    for (const documents of replicas) {
      await expect(documents.find(host.url('/missing'))).rejects.toThrow('status 404');
    }
    expect(host.countOf('/missing')).toBe(1);
  });
});
