import type { Request, Response } from 'express';
import { type AccountsOptions, CurrentVisitorMiddleware } from '#libs/accounts';
import { type DocumentHost, startDocumentHost } from '../../../../../test/support/document-host.js';
import { eventually } from '../../../../../test/support/eventually.js';
import { ClientDocumentError } from '../../client-document/client-document.js';
import { DocumentFetch } from '../../client-document/document-fetch.js';
import type { Address, Lookup } from '../../client-document/connectable-addresses.js';

const names = (count: number, whose = '') =>
  Array.from({ length: count }, (_, n) => `https://host${n}${whose}.example/`);
const settled = () => new Promise(setImmediate);
const never: Lookup = () => new Promise(() => undefined);

/** Name servers that answer, without an address, when the test says so: a fetch keeps its turn until then. */
function nameServers() {
  const asked: (() => void)[] = [];
  let begun = 0;
  const lookup: Lookup = () => {
    begun += 1;
    return new Promise<Address[]>((resolve) => asked.push(() => resolve([])));
  };
  return { lookup, asked, countBegun: () => begun };
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
  const open = (lookup: Lookup) => new DocumentFetch({ privateHosts: [], lookup });

  it('fetches 32 at once; others wait their turn', async () => {
    const { lookup, asked, countBegun } = nameServers();
    const documents = open(lookup);
    const visitors = Array.from({ length: 20 }, (_, n) => `192.0.2.${n}`);
    const all = visitors.flatMap((visitor) =>
      as(visitor, () => names(5, visitor).map((url) => documents.getJson(url))),
    );
    const outcomes = Promise.allSettled(all);
    for (let ended = 0; ended < 100; ended += 1) {
      await settled();
      expect(countBegun()).toBe(Math.min(ended + 32, 100));
      asked.shift()?.();
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
    const { lookup, asked, countBegun } = nameServers();
    const documents = open(lookup);
    const all = Promise.allSettled(
      Array.from({ length: 20 }, (_, n) =>
        as(visitors[n % visitors.length] ?? '', () => documents.getJson(url(n))),
      ),
    );
    for (let ended = 0; ended < 20; ended += 1) {
      await settled();
      expect(countBegun()).toBe(Math.min(ended + 8, 20));
      asked.shift()?.();
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
      return new Promise((resolve) => setTimeout(() => resolve([]), 1_500));
    });
    const all = await Promise.allSettled(names(9).map((url) => documents.getJson(url)));
    const messages = all.map((result) => String((result as PromiseRejectedResult).reason));
    expect(messages.filter((message) => message.includes('3000 ms'))).toHaveLength(8);
    expect(messages[8]).toContain('no address');
  });

  it('lets go of a turn after 3 seconds, also when whoever was asked does not', async () => {
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
    beforeEach(async () => {
      host = await startDocumentHost();
    });
    afterEach(() => host.close());

    it('keeps a turn until the answer is there', async () => {
      const answers: (() => void)[] = [];
      const urls = Array.from({ length: 9 }, (_, n) =>
        host.answer(`/slow${n}`, (_request, response) => {
          answers.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end());
        }),
      );
      const documents = new DocumentFetch({
        privateHosts: [host.privateHost],
        certificates: [host.certificate],
      });
      const all = Promise.all(urls.map((each) => documents.getJson(each)));
      await eventually(() => expect(answers).toHaveLength(8));
      expect(host.connections).toBe(8);
      answers[0]?.();
      await eventually(() => expect(answers).toHaveLength(9));
      for (const answer of answers.slice(1)) answer();
      await expect(all).resolves.toHaveLength(9);
    });

    it('asks once for what several want at the same time', async () => {
      const url = host.publish('/client', {});
      const documents = new DocumentFetch({
        privateHosts: [host.privateHost],
        certificates: [host.certificate],
      });
      const all = await Promise.all(Array.from({ length: 50 }, () => documents.getJson(url)));
      expect(all).toHaveLength(50);
      expect(host.connections).toBe(1);
    });
  });
});
