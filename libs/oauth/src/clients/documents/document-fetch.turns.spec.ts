import { type DocumentHost, startDocumentHost } from '../../../../../test/support/document-host.js';
import { eventually } from '../../../../../test/support/eventually.js';
import { FetchOverloadError } from './client-document.error.js';
import { DocumentFetch } from './document-fetch.adapter.js';
import type { Address, Lookup } from './name-resolution.js';

const names = (count: number, path = '') =>
  Array.from({ length: count }, (_, n) => `https://host${n}.example/${path}`);
const settled = () => new Promise(setImmediate);
const never: Lookup = () => new Promise(() => undefined);

/** Name servers that answer, with no address, when they are told to: a fetch has its turn that long. */
function nameServers() {
  const asked: (() => void)[] = [];
  let begun = 0;
  const lookup: Lookup = () => {
    begun += 1;
    return new Promise<Address[]>((resolve) => asked.push(() => resolve([])));
  };
  return { lookup, asked, countBegun: () => begun };
}

describe('document fetch for many at once', () => {
  const open = (lookup: Lookup) => new DocumentFetch({ privateHosts: [], lookup });

  it.each([
    ['8 at once', names(24), 8],
    ['2 at once of one host', Array.from({ length: 10 }, () => 'https://app.example/'), 2],
  ])('fetches %s; others wait their turn', async (_what, urls, atOnce) => {
    const { lookup, asked, countBegun } = nameServers();
    const documents = open(lookup);
    const all = Promise.allSettled(urls.map((url) => documents.getJson(url)));
    for (let ended = 0; ended < urls.length; ended += 1) {
      await settled();
      expect(asked).toHaveLength(Math.min(atOnce, urls.length - ended));
      expect(countBegun()).toBe(Math.min(ended + atOnce, urls.length));
      asked.shift()?.();
    }
    for (const result of await all) {
      expect(result).toMatchObject({ reason: { message: expect.stringMatching('no address') } });
    }
  });

  it('keeps nobody waiting for a slow host but those who want it', async () => {
    const documents = open(async (name, signal) =>
      name === 'slow.example' ? never(name, signal) : [],
    );
    const hanging = Array.from({ length: 50 }, () => documents.getJson('https://slow.example/'));
    const outcomes = Promise.allSettled(hanging);
    await expect(documents.getJson('https://other.example/')).rejects.toThrow('no address');
    const errors = (await outcomes).map((result) => (result as PromiseRejectedResult).reason);
    expect(errors.filter((error) => error instanceof FetchOverloadError)).toHaveLength(48);
    expect(errors).not.toContainEqual(expect.objectContaining({ transient: false }));
  });

  it('refuses who would wait longer than 3 seconds for a turn, and then goes on', async () => {
    let lookup = never;
    const documents = open((name, signal) => lookup(name, signal));
    const hanging = Promise.allSettled(names(8).map((url) => documents.getJson(url)));
    await expect(documents.getJson('https://app.example/')).rejects.toThrow('too many');
    await hanging;
    lookup = async () => [];
    await expect(documents.getJson('https://app.example/')).rejects.toThrow('no address');
  });

  describe('from one host', () => {
    let host: DocumentHost;
    beforeEach(async () => {
      host = await startDocumentHost();
    });
    afterEach(() => host.close());

    it('keeps a turn until the answer is there', async () => {
      const answers: (() => void)[] = [];
      const url = host.answer('/slow', (_request, response) => {
        answers.push(() => response.writeHead(200, { 'content-type': 'application/json' }).end());
      });
      const documents = new DocumentFetch({
        privateHosts: [host.privateHost],
        certificates: [host.certificate],
      });
      const all = Promise.all([url, url, url].map((each) => documents.getJson(each)));
      await eventually(() => expect(answers).toHaveLength(2));
      expect(host.connections).toBe(2);
      answers[0]?.();
      await eventually(() => expect(answers).toHaveLength(3));
      for (const answer of answers.slice(1)) answer();
      await expect(all).resolves.toHaveLength(3);
    });
  });
});
