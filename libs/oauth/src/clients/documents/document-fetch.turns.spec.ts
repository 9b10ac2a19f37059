import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Server } from 'node:net';
import { type DocumentHost, startDocumentHost } from '../../../../../test/support/document-host.js';
import { FetchOverloadError } from './client-document.error.js';
import { DocumentFetch } from './document-fetch.adapter.js';
import type { Lookup } from './name-resolution.js';

const NAMES = ['localhost', 'app.example', 'other.example', '127.0.0.1'];

describe('document fetch for many at once', () => {
  let host: DocumentHost;
  /** Makes the same host another one, on another port. */
  let front: Server;
  beforeEach(async () => {
    host = await startDocumentHost({ '/client': {} });
    front = createServer((socket) => {
      const behind = connect(host.port, '127.0.0.1');
      socket.on('error', () => behind.destroy()).pipe(behind);
      behind.on('error', () => socket.destroy()).pipe(socket);
    }).listen(0, '127.0.0.1');
    await once(front, 'listening');
  });
  afterEach(async () => {
    front.close();
    await host.close();
  });

  const open = (lookup: Lookup = async () => [{ address: '127.0.0.1', family: 4 }]) =>
    new DocumentFetch({
      privateHosts: urls('').map((url) => new URL(url).host),
      certificates: [host.certificate],
      lookup,
    });
  const urls = (path: string) => {
    const ports = [host.port, (front.address() as AddressInfo).port];
    return ports.flatMap((port) => NAMES.map((name) => `https://${name}:${port}${path}`));
  };
  const hang = () => host.answer('/hang', () => undefined);
  const most = () => {
    const count = { inside: 0, most: 0 };
    host.answer('/slow', (_request, response) => {
      count.inside += 1;
      count.most = Math.max(count.most, count.inside);
      setTimeout(() => {
        count.inside -= 1;
        response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      }, 150);
    });
    return count;
  };

  it('fetches 8 at once; others wait their turn', async () => {
    const count = most();
    const documents = open();
    const wanted = [...urls('/slow'), ...urls('/slow'), ...urls('/slow')];
    await Promise.all(wanted.map((url) => documents.getJson(url)));
    expect(count.most).toBe(8);
  });

  it('fetches 2 at once from one host; others wait their turn', async () => {
    const count = most();
    const documents = open();
    const [url] = urls('/slow') as [string];
    await Promise.all(Array.from({ length: 10 }, () => documents.getJson(url)));
    expect(count.most).toBe(2);
  });

  it('keeps nobody waiting for a slow host but those who want it', async () => {
    hang();
    const documents = open();
    const [slow, other] = urls('/hang') as [string, string];
    const hanging = Array.from({ length: 50 }, () => documents.getJson(slow));
    const settled = Promise.allSettled(hanging);
    const begun = performance.now();
    await expect(documents.getJson(other.replace('/hang', '/client'))).resolves.toBeDefined();
    expect(performance.now() - begun).toBeLessThan(1_000);
    const errors = (await settled).map((result) => (result as PromiseRejectedResult).reason);
    expect(errors.filter((error) => error instanceof FetchOverloadError)).toHaveLength(48);
    expect(errors).not.toContainEqual(expect.objectContaining({ transient: false }));
  });

  it('refuses who would wait longer than 3 seconds for a turn', async () => {
    hang();
    const documents = open();
    const settled = Promise.allSettled(urls('/hang').map((url) => documents.getJson(url)));
    const [client] = urls('/client') as [string];
    await expect(documents.getJson(client)).rejects.toThrow('too many');
    await settled;
    await expect(documents.getJson(client)).resolves.toBeDefined();
  });

  it('goes on after 3 seconds when a resolver never answers', async () => {
    const documents = open((hostname) =>
      hostname === 'app.example'
        ? Promise.resolve([{ address: '127.0.0.1', family: 4 }])
        : new Promise(() => undefined),
    );
    const names = Array.from({ length: 8 }, (_, n) => `https://hang${n}.example/client`);
    const settled = Promise.allSettled(names.map((url) => documents.getJson(url)));
    await settled;
    const [, client] = urls('/client') as [string, string];
    await expect(documents.getJson(client)).resolves.toBeDefined();
  });
});
