import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { type DocumentHost, startDocumentHost } from '../../../../../test/support/document-host.js';
import { eventually } from '../../../../../test/support/eventually.js';
import { ClientDocumentError } from '../../client-document/client-document.js';
import { DocumentFetch, type DocumentFetchOptions } from '../../client-document/document-fetch.js';
import type { Address } from '../../client-document/connectable-addresses.js';

const LOOPBACK = { address: '127.0.0.1', family: 4 };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('document fetch', () => {
  let host: DocumentHost;

  const open = (options: Partial<DocumentFetchOptions> = {}) =>
    new DocumentFetch({
      privateHosts: [host.privateHost, `app.example:${host.port}`],
      certificates: [host.certificate],
      ...options,
    });
  const refused = async (url: string, options?: Partial<DocumentFetchOptions>) => {
    const error: unknown = await open(options)
      .getJson(url)
      .catch((reason: unknown) => reason);
    if (error instanceof ClientDocumentError) return error;
    throw new Error(`was not refused: ${String(error)}`);
  };
  const refusal = async (url: string, options?: Partial<DocumentFetchOptions>) =>
    (await refused(url, options)).message;
  const answer = (status: number, headers: Record<string, string>, body: string | Buffer) =>
    host.answer('/x', (_request, response) => response.writeHead(status, headers).end(body));

  beforeEach(async () => {
    host = await startDocumentHost({ '/client': { client_name: 'App' } });
  });
  afterEach(() => host.close());

  it('gets a JSON document and what its host says about caching', async () => {
    const url = host.publish('/cached', { a: 1 }, { 'cache-control': 'max-age=60' });
    await expect(open().getJson(url)).resolves.toEqual({
      text: JSON.stringify({ client_id: url, a: 1 }),
      cacheControl: 'max-age=60',
    });
  });

  it('asks for plain JSON, by the name of the host, on a connection of its own', async () => {
    const lookup = async () => [LOOPBACK];
    const documents = open({ lookup });
    await documents.getJson(host.url('/client', 'app.example'));
    await documents.getJson(host.url('/client', 'app.example'));
    expect(host.connections).toBe(2);
    expect(host.requests[0]).toMatchObject({
      host: `app.example:${host.port}`,
      servername: 'app.example',
      headers: { accept: 'application/json', 'accept-encoding': 'identity', connection: 'close' },
    });
  });

  it('takes another of the checked addresses when one does not answer', async () => {
    const lookup = async () => [{ address: '127.0.0.77', family: 4 }, LOOPBACK];
    await expect(open({ lookup }).getJson(host.url('/client'))).resolves.toBeDefined();
  });

  it.each(['application/json; charset=utf-8', 'Application/JSON', 'application/cimd+json'])(
    'takes the content type %s',
    async (type) => {
      const url = answer(200, { 'content-type': type }, '{}');
      await expect(open().getJson(url)).resolves.toMatchObject({ text: '{}' });
    },
  );

  it.each(['text/html', 'text/plain', 'application/jsonp', 'text/html; a=application/json', ''])(
    'refuses the content type "%s"',
    async (type) => {
      const url = answer(200, type === '' ? {} : { 'content-type': type }, '{}');
      expect(await refusal(url)).toMatch('not JSON');
    },
  );

  it.each([201, 204, 301, 302, 307, 308, 404, 500])('refuses status %d', async (status) => {
    const url = answer(status, { ...JSON_TYPE, location: host.url('/client') }, '');
    expect(await refusal(url)).toMatch(String(status));
    expect(host.countOf('/client')).toBe(0);
  });

  it.each<[string, number, Record<string, string>]>([
    ['has another status', 404, JSON_TYPE],
    ['is no JSON', 200, { 'content-type': 'text/html' }],
    ['is compressed', 200, { ...JSON_TYPE, 'content-encoding': 'gzip' }],
  ])('leaves a body alone that %s', async (_what, status, headers) => {
    let isCut = false;
    const url = host.answer('/x', (_request, response) => {
      pour(response.writeHead(status, headers), 10 * 1024 * 1024, () => undefined);
      response.on('close', () => {
        isCut = !response.writableFinished;
      });
    });
    expect(await refusal(url)).toMatch(/status|JSON|compressed|fetched/);
    await eventually(() => expect(isCut).toBe(true));
  });

  it('takes 5 KB and not one byte more', async () => {
    await expect(open().getJson(answer(200, JSON_TYPE, 'x'.repeat(5120)))).resolves.toBeDefined();
    expect(await refusal(answer(200, JSON_TYPE, 'x'.repeat(5121)))).toMatch('fetched');
  });

  it('breaks off a large body that does not say how large it is', async () => {
    let sent = 0;
    const url = host.answer('/x', (_request, response) => {
      response.writeHead(200, JSON_TYPE);
      pour(response, 10 * 1024 * 1024, (bytes) => {
        sent += bytes;
      });
    });
    expect(await refusal(url)).toMatch('fetched');
    expect(sent).toBeLessThan(8 * 1024 * 1024);
  });

  it('does not unpack what it did not ask to be packed', async () => {
    const bomb = gzipSync(Buffer.alloc(4 * 1024 * 1024));
    const url = answer(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }, bomb);
    expect(await refusal(url)).toMatch('compressed');
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['no answer', () => undefined],
    ['no body', (response) => response.writeHead(200, JSON_TYPE).flushHeaders()],
    ['a body byte by byte', (response) => drip(response.writeHead(200, JSON_TYPE))],
  ])('waits 3 seconds for %s', async (_what, respond) => {
    const url = host.answer('/x', (_request, response) => respond(response));
    const begun = performance.now();
    expect(await refused(url)).toMatchObject({
      message: expect.stringMatching('3000 ms'),
      transient: true,
    });
    expect(performance.now() - begun).toBeGreaterThan(2_900);
  });

  it('waits 3 seconds for a resolver and connects to nothing afterwards', async () => {
    let resolve = (_addresses: Address[]) => {};
    const lookup = () => new Promise<Address[]>((answered) => (resolve = answered));
    expect(await refusal(host.url('/client'), { lookup })).toMatch('3000 ms');
    resolve([LOOPBACK]);
    await new Promise(setImmediate);
    expect(host.connections).toBe(0);
  });

  it.each([
    [400, false],
    [404, false],
    [410, false],
    [429, true],
    [500, true],
    [503, true],
  ])('takes status %d for transient: %s', async (status, transient) => {
    expect(await refused(answer(status, JSON_TYPE, '{}'))).toHaveProperty('transient', transient);
  });

  it.each<[string, Partial<DocumentFetchOptions>]>([
    ['nobody listens', { lookup: async () => [{ address: '127.0.0.77', family: 4 }] }],
    ['DNS fails', { lookup: async () => Promise.reject(new Error('ESERVFAIL')) }],
    ['there is no address', { lookup: async () => [] }],
  ])('takes it for transient when %s', async (_what, options) => {
    expect(await refused(host.url('/client'), options)).toHaveProperty('transient', true);
  });

  it('takes what the host says for final', async () => {
    const plain = answer(200, { 'content-type': 'text/html' }, '{}');
    expect(await refused(plain)).toHaveProperty('transient', false);
    const large = answer(200, JSON_TYPE, 'x'.repeat(5121));
    expect(await refused(large)).toHaveProperty('transient', false);
    expect(await refused('http://app.example/')).toHaveProperty('transient', false);
    expect(await refused('https://127.0.0.1/x')).toHaveProperty('transient', false);
  });

  it('refuses a certificate that it does not trust', async () => {
    expect(await refusal(host.url('/client'), { certificates: undefined })).toMatch('self-signed');
    expect(host.requests).toEqual([]);
  });

  it('refuses a certificate of another host', async () => {
    const other = await startDocumentHost();
    const lookup = async () => [LOOPBACK];
    const privateHosts = [`evil.example:${other.port}`];
    const url = other.url('/client', 'evil.example');
    const certificates = [other.certificate];
    expect(await refusal(url, { lookup, privateHosts, certificates })).toMatch('altnames');
    expect(other.requests).toEqual([]);
    await other.close();
  });

  it('serves key sets of up to 64 KB as a fetch function', async () => {
    const url = host.publish(
      '/jwks',
      { keys: ['x'.repeat(60_000)] },
      { 'cache-control': 'max-age=9' },
    );
    const response = await open().fetch(new URL(url));
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('max-age=60');
    await expect(response.json()).resolves.toHaveProperty('keys');
    const large = answer(200, JSON_TYPE, 'x'.repeat(65_537));
    await expect(open().fetch(large)).rejects.toThrow(ClientDocumentError);
    await expect(open().fetch(url, { method: 'POST' })).rejects.toThrow('GET');
  });
});

function drip(response: ServerResponse) {
  const timer = setInterval(() => response.write('x'), 20);
  response.on('close', () => clearInterval(timer));
}

function pour(response: ServerResponse, left: number, count: (bytes: number) => void) {
  const chunk = Buffer.alloc(64 * 1024, 'x');
  const write = () => {
    while (left > 0 && !response.destroyed) {
      left -= chunk.length;
      count(chunk.length);
      if (!response.write(chunk)) return;
    }
    response.end();
  };
  response.on('drain', write);
  write();
}
