import { generateKeyPairSync } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Request, Response } from 'express';
import { type AccountsOptions, CurrentVisitorMiddleware } from '#libs/accounts';
import { RequestWork, underWork } from '#libs/platform';
import { type DocumentHost, startDocumentHost } from '../testbed/document-host.testbed.js';
import { eventually } from '#libs/platform/testing';
import { ClientDocumentError } from './client-document.js';
import type { Address, Lookup } from './connectable-addresses.js';
import {
  DocumentFetch,
  type DocumentFetchOptions,
  isDocumentHostAllowed,
} from './document-fetch.js';

describe('host policy', () => {
  it.each([
    ['app.example', undefined, [], true],
    ['app.example', ['app.example'], [], true],
    ['sub.app.example', ['app.example'], [], false],
    ['sub.app.example', ['*.app.example'], [], true],
    ['app.example', ['*.app.example'], [], false],
    ['notapp.example', ['*.app.example'], [], false],
    ['app.example', [], [], false],
    ['app.example', undefined, ['app.example'], false],
    ['sub.app.example', undefined, ['app.example'], true],
    ['sub.app.example', undefined, ['*.app.example'], false],
    ['app.example', ['app.example'], ['app.example'], false],
    ['app.example', ['*.example'], ['other.example'], true],
    ['app.example.', undefined, ['app.example'], false],
    ['sub.app.example.', undefined, ['*.app.example'], false],
    ['app.example.', ['app.example'], undefined, true],
    ['app.example', undefined, undefined, true],
  ])(
    'of %s with allowed %j and blocked %j says %s',
    (host, allowedHosts, blockedHosts, allowed) => {
      expect(isDocumentHostAllowed(host, { allowedHosts, blockedHosts })).toBe(allowed);
    },
  );
});

const LOOPBACK = { address: '127.0.0.1', family: 4 };
const JSON_TYPE = { 'content-type': 'application/json' };

describe('document fetch', () => {
  let host: DocumentHost;

  const open = (options: Partial<DocumentFetchOptions> = {}) =>
    new DocumentFetch({
      blockedHosts: [],
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

  it('is no work of its request until the document is here', async () => {
    let atWork = 0;
    const work = new RequestWork((change) => (atWork += change));
    const fetching = underWork(work, () => open().fetch(host.publish('/jwks', { keys: [] })));
    expect(atWork).toBe(0);
    await fetching;
    expect(atWork).toBe(1);
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
    ['the port has no listener', { lookup: async () => [{ address: '127.0.0.77', family: 4 }] }],
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

  it('leaves out of a key set what may not verify signatures', async () => {
    const usable = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
    const keys = [{ ...usable.export({ format: 'jwk' }), kid: 'a' }];
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).publicKey;
    const slow = {
      ...rsa.export({ format: 'jwk' }),
      e: Buffer.alloc(255, 1).toString('base64url'),
    };
    const secret = { kty: 'oct', k: 'c2VjcmV0' };
    const url = host.publish('/jwks', { keys: [slow, ...keys, null, secret] });
    await expect((await open().fetch(url)).json()).resolves.toEqual({ keys });
    const none = answer(200, JSON_TYPE, '{"keys":{}}');
    await expect(open().fetch(none)).rejects.toThrow('is not a key set');
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

const PUBLIC = { address: '93.184.216.34', family: 4 };

describe('document fetch and addresses', () => {
  let host: DocumentHost;
  beforeEach(async () => {
    host = await startDocumentHost({ '/client': {} });
  });
  afterEach(() => host.close());

  const open = (lookup?: () => Promise<Address[]>, privateHosts: string[] = []) =>
    new DocumentFetch({
      blockedHosts: [],
      privateHosts,
      certificates: [host.certificate],
      ...(lookup && { lookup }),
    });

  it.each([
    ['loopback', [LOOPBACK]],
    ['public and private', [PUBLIC, LOOPBACK]],
    ['no', []],
  ])('refuses a name with %s addresses without any connection', async (_what, addresses) => {
    const fetching = open(async () => addresses).getJson('https://app.example/client');
    await expect(fetching).rejects.toThrow('address');
    expect(host.connections).toBe(0);
  });

  it.each(['https://127.0.0.1/client', 'https://[::1]/client', 'https://localhost/client'])(
    'refuses %s',
    async (url) => {
      await expect(open().getJson(url)).rejects.toThrow('special-use address');
    },
  );

  it.each(['localhost', '127.0.0.1', '[::1]'])(
    'refuses another port, on %s too, without any connection',
    async (hostname) => {
      await expect(open().getJson(host.url('/client', hostname))).rejects.toThrow('port');
      expect(host.connections).toBe(0);
    },
  );

  it.each(['http://app.example/client', 'file:///etc/passwd', 'ftp://app.example/', 'x', ''])(
    'refuses %s',
    async (url) => {
      await expect(open().getJson(url)).rejects.toThrow('https');
    },
  );

  it('makes no exception for the private host on another port', async () => {
    const other = await startDocumentHost();
    const documents = open(undefined, [other.privateHost]);
    await expect(documents.getJson(host.url('/client'))).rejects.toThrow('port');
    await expect(documents.getJson('https://localhost/client')).rejects.toThrow('special-use');
    expect(host.connections).toBe(0);
    await other.close();
  });

  it('resolves a name once and connects to what it checked', async () => {
    let lookups = 0;
    const rebinding = async () => {
      lookups += 1;
      return [lookups === 1 ? LOOPBACK : PUBLIC];
    };
    const documents = open(rebinding, [`app.example:${host.port}`]);
    await expect(documents.getJson(host.url('/client', 'app.example'))).resolves.toBeDefined();
    expect(lookups).toBe(1);
  });

  it('goes to an address literal of a private host', async () => {
    const documents = open(undefined, [`127.0.0.1:${host.port}`]);
    await expect(documents.getJson(host.url('/client', '127.0.0.1'))).resolves.toBeDefined();
  });

  it.each([
    ['a blocked host', { blockedHosts: ['app.example'] }],
    ['a host that is not among the allowed ones', { allowedHosts: ['other.example'] }],
  ])('never asks %s, for a document or for a key set', async (_what, policy) => {
    const lookup = async () => Promise.reject(new Error('was asked'));
    const documents = new DocumentFetch({ blockedHosts: [], privateHosts: [], lookup, ...policy });
    for (const name of ['app.example', 'APP.example', 'app.example.']) {
      const url = `https://${name}/client`;
      expect(documents.refusalOf(url)).toBe('is on a host that is not allowed');
      await expect(documents.getJson(url)).rejects.toThrow('not allowed');
      await expect(documents.fetch(url)).rejects.toThrow('not allowed');
    }
  });

  it('says when a name does not exist', async () => {
    const unknown = async () => Promise.reject(new Error('getaddrinfo ENOTFOUND app.example'));
    await expect(open(unknown).getJson('https://app.example/x')).rejects.toThrow('ENOTFOUND');
  });
});

const names = (count: number, whose = '') =>
  Array.from({ length: count }, (_, n) => `https://host${n}${whose}.example/`);
const settled = () => new Promise(setImmediate);
const never: Lookup = () => new Promise(() => undefined);

/** Name servers that answer, without an address, when the test says so: a fetch keeps its turn until then. */
function nameServers() {
  const pending: (() => void)[] = [];
  let begun = 0;
  const lookup: Lookup = () => {
    begun += 1;
    return new Promise<Address[]>((resolve) => pending.push(() => resolve([])));
  };
  return { lookup, asked: pending, countBegun: () => begun };
}

/** Runs a function in the context of a visitor's request. */
function as<T>(ip: string, work: () => T): T {
  let outcome: { readonly value: T } | undefined;
  const middleware = new CurrentVisitorMiddleware({ rateLimit: { max: 1 } } as AccountsOptions);
  const request = { ips: [ip], headers: {} } as unknown as Request;
  middleware.use(request, {} as Response, () => (outcome = { value: work() }));
  if (!outcome) throw new Error('the middleware called nothing');
  return outcome.value;
}

describe('document fetch for many at once', () => {
  const open = (lookup: Lookup) =>
    new DocumentFetch({ blockedHosts: [], privateHosts: [], lookup });

  it('fetches 32 at once; others wait their turn', async () => {
    const { lookup, asked: pending, countBegun } = nameServers();
    const documents = open(lookup);
    const visitors = Array.from({ length: 20 }, (_, n) => `192.0.2.${n}`);
    const all = visitors.flatMap((visitor) =>
      as(visitor, () => names(5, visitor).map((url) => documents.getJson(url))),
    );
    const outcomes = Promise.allSettled(all);
    for (let ended = 0; ended < 100; ended += 1) {
      await settled();
      expect(countBegun()).toBe(Math.min(ended + 32, 100));
      pending.shift()?.();
    }
    for (const result of await outcomes) {
      expect(result).toMatchObject({ reason: { message: expect.stringMatching('no address') } });
    }
  });

  it.each([
    ['a visitor', ['192.0.2.1'], (n: number) => `https://host${n}.example/`],
    ['an IPv6 /48', ['2001:db8:1:1::1', '2001:db8:1:2::1'], (n: number) => `https://${n}.example/`],
    ['a host', ['192.0.2.1', '192.0.2.2'], (n: number) => `https://app.example/${n}`],
  ])('fetches 8 at once for %s', async (_whose, visitors, url) => {
    const { lookup, asked: pending, countBegun } = nameServers();
    const documents = open(lookup);
    const all = Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        as(visitors[n % visitors.length] ?? '', () => documents.getJson(url(n))),
      ),
    );
    for (let ended = 0; ended < 20; ended += 1) {
      await settled();
      expect(countBegun()).toBe(Math.min(ended + 8, 20));
      pending.shift()?.();
    }
    await all;
  });

  it('answers a new visitor at once while others keep all their turns busy', async () => {
    const documents = open(async (name, signal) =>
      name.startsWith('host') ? never(name, signal) : [],
    );
    const floods = ['192.0.2.1', '192.0.2.2', '192.0.2.3'].map((visitor) =>
      as(visitor, () => Promise.allSettled(names(9, visitor).map((url) => documents.getJson(url)))),
    );
    const begun = performance.now();
    const own = as('192.0.2.9', () => documents.getJson('https://app.example/'));
    await expect(own).rejects.toThrow('no address');
    expect(performance.now() - begun).toBeLessThan(2_500);
    await Promise.all(floods);
  });

  it('gives every fetch 3 seconds from its turn, however long it waited for that', async () => {
    let lookups = 0;
    const documents = open((name, signal) => {
      lookups += 1;
      if (lookups <= 8) return never(name, signal);
      return new Promise((resolve) => setTimeout(resolve, 1_500, []).unref());
    });
    const all = await Promise.allSettled(names(9).map((url) => documents.getJson(url)));
    const messages = all.map((result) => String((result as PromiseRejectedResult).reason));
    expect(messages.filter((message) => message.includes('3000 ms'))).toHaveLength(8);
    expect(messages[8]).toContain('no address');
  });

  it('lets go of a turn after 3 seconds, also when the lookup hangs', async () => {
    let lookup: Lookup = () => new Promise(() => undefined);
    const documents = open((name, signal) => lookup(name, signal));
    const hanging = Promise.allSettled(names(8).map((url) => documents.getJson(url)));
    await settled();
    lookup = async () => [];
    await expect(documents.getJson('https://app.example/')).rejects.toThrow('no address');
    for (const result of await hanging) {
      expect(result).toMatchObject({ reason: expect.any(ClientDocumentError) });
    }
  });

  describe('from one host', () => {
    let host: DocumentHost;
    let documents: DocumentFetch;
    beforeEach(async () => {
      host = await startDocumentHost();
      documents = new DocumentFetch({
        blockedHosts: [],
        privateHosts: [host.privateHost],
        certificates: [host.certificate],
      });
    });
    afterEach(() => host.close());

    it('keeps a turn until the answer is there', async () => {
      const answers: (() => void)[] = [];
      const urls = Array.from({ length: 9 }, (_, n) =>
        host.answer(`/slow${n}`, (_request, response) => {
          answers.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end());
        }),
      );
      const all = Promise.all(urls.map((url) => documents.getJson(url)));
      await eventually(() => expect(answers).toHaveLength(8));
      expect(host.connections).toBe(8);
      answers[0]?.();
      await eventually(() => expect(answers).toHaveLength(9));
      for (const answer of answers.slice(1)) answer();
      await expect(all).resolves.toHaveLength(9);
    });

    it('asks once for what several want at the same time', async () => {
      const url = host.publish('/client', {});
      const all = await Promise.all(Array.from({ length: 50 }, () => documents.getJson(url)));
      expect(all).toHaveLength(50);
      expect(host.connections).toBe(1);
    });
  });
});
