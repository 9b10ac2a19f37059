import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, Socket } from 'node:net';
import { Readable } from 'node:stream';
import type { Request, Response } from 'express';
import { HeldBytes } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import {
  chargeBodyTo,
  checkAroundBody,
  countBodyMemory,
  countUnread,
  isBodyCut,
  readBytes,
} from './body-bytes.js';

const LIMIT = 1_000;

describe('a body that is read', () => {
  let server: Server;
  let held: HeldBytes;
  let read: Promise<Buffer | string>[];
  let account: string | undefined;
  let toUse: (() => Promise<void>) | undefined;
  let clients: Socket[];

  beforeEach(async () => {
    [read, clients, account, toUse] = [[], [], undefined, undefined];
    held = new HeldBytes({ perHolder: 1_500, inAll: 2_000 });
    const hold = countBodyMemory(held);
    server = createServer((incoming, answer) => {
      const request = Object.assign(incoming, { ips: [] }) as unknown as Request;
      hold(request, answer as unknown as Response, () => undefined);
      if (account !== undefined) chargeBodyTo(request, account);
      read.push(outcome(request));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const outcome = (request: IncomingMessage) =>
    readBytes(request, LIMIT, request.headers['content-length'], toUse && { toUse }).catch(
      ({ status, headers }: { status: number; headers: object }) =>
        `${status} ${JSON.stringify(headers)}`,
    );

  async function post(length: number | 'chunked', body = ''): Promise<Socket> {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client.on('error', () => undefined));
    const framing =
      length === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${length}`;
    const requests = read.length;
    client.write(`POST / HTTP/1.1\r\nHost: localhost\r\n${framing}\r\n\r\n${body}`);
    await eventually(() => expect(read.length).toBeGreaterThan(requests));
    return client;
  }

  const holds = (bytes: number) => eventually(() => expect(held.bytes).toBe(bytes));
  const sent = (length: number) => 'x'.repeat(length);

  it('is whole, and held no longer', async () => {
    const client = await post(900, sent(300));
    await holds(300);
    client.write(sent(600));
    expect(String(await read[0])).toBe(sent(900));
    expect(held.bytes).toBe(0);
    await post(0);
    expect(String(await read[1])).toBe('');
  });

  it('is held as it comes, not as it is announced', async () => {
    for (let n = 0; n < 20; n += 1) await post(LIMIT);
    const client = await post(LIMIT, sent(10));
    await holds(10);
    client.write(sent(990));
    expect(await read.at(-1)).toHaveLength(LIMIT);
  });

  it('takes no more memory in small pieces than in one', async () => {
    const client = await post('chunked');
    for (let n = 0; n < 600; n += 1) client.write('1\r\nx\r\n');
    await eventually(() => expect(held.bytes).toBeGreaterThanOrEqual(600));
    expect(held.bytes).toBeLessThanOrEqual(LIMIT);
    client.write('0\r\n\r\n');
    expect(String(await read[0])).toBe(sent(600));
  });

  it.each([
    ['413 | too much is announced', LIMIT + 1, ''],
    ['413 | too much comes', 'chunked', `3e9\r\n${sent(LIMIT + 1)}\r\n0\r\n\r\n`],
  ] as const)('%s, and nothing of it is held', async (_what, length, body) => {
    await post(length, body);
    expect(await read[0]).toBe('413 {}');
    expect(held.bytes).toBe(0);
  });

  it('400 | it breaks off, and nothing of it is held', async () => {
    const client = await post(900, sent(300));
    await holds(300);
    client.destroy();
    expect(await read[0]).toBe('400 {}');
    expect(held.bytes).toBe(0);
  });

  it('400 | it was gone before it was read', async () => {
    const gone = { readable: false, resume: () => undefined } as unknown as IncomingMessage;
    await expect(readBytes(gone, LIMIT)).rejects.toMatchObject({ status: 400 });
  });

  it('503 | too much of its visitor is on its way', async () => {
    await post(900, sent(900 - 1));
    await holds(899);
    await post(900, sent(700));
    expect(await read[1]).toBe('503 {"Retry-After":"1"}');
    expect(held.bytes).toBe(899);
    await post(900, sent(601));
    await holds(1_500);
  });

  it('503 | too much of its account is on its way, whatever others of its visitor send', async () => {
    await post(900, sent(899));
    account = 'ann';
    await post(900, sent(700));
    await holds(1_599);
    await post(900, sent(850));
    expect(await read[2]).toBe('503 {"Retry-After":"1"}');
  });

  it('503 | too much is on its way in all: who has the most gives way, and the next is read', async () => {
    account = 'ann';
    await post(900, sent(800));
    await post(900, sent(600));
    account = 'bob';
    await post(900, sent(600));
    await holds(2_000);
    account = 'eve';
    await post(100, sent(100));
    expect(await read[0]).toBe('503 {"Retry-After":"1"}');
    expect(String(await read[3])).toBe(sent(100));
    await holds(1_200);
  });

  it('is held until its turn comes, and 503 | one with less needs the room before', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    toUse = () => promise;
    account = 'ann';
    await post(700, sent(700));
    await post(700, sent(700));
    account = 'bob';
    await post(600, sent(500));
    await holds(1_900);
    account = 'eve';
    await post(200, sent(200));
    expect(await read[1]).toBe('503 {"Retry-After":"1"}');
    resolve();
    expect(String(await read[0])).toBe(sent(700));
    expect(String(await read[3])).toBe(sent(200));
    await holds(500);
  });
});

describe('what came of a body that waits to be read', () => {
  const held = new HeldBytes({ perHolder: 12_000, inAll: 20_000 });

  function waiting(bytes: number) {
    const request = Object.assign(new IncomingMessage(new Socket()), { ips: [] });
    const response = new ServerResponse(request);
    countBodyMemory(held)(request as never, response as never, () => undefined);
    countUnread(request, bytes);
    return request;
  }

  it('counts until it is read, unless it is little, and is cut where it is too much', async () => {
    const [read, cut] = [waiting(5_000), waiting(6_000), waiting(1_000)];
    expect(held.bytes).toBe(11_000);
    countUnread(cut, 8_000);
    expect([isBodyCut(cut), held.bytes]).toEqual([true, 5_000]);
    await expect(readBytes(cut, LIMIT)).rejects.toMatchObject({ status: 503 });
    expect(isBodyCut(cut)).toBe(false);
    read.push('{}');
    read.push(null);
    expect(String(await readBytes(read, LIMIT))).toBe('{}');
    expect(held.bytes).toBe(0);
  });
});

describe('a whole body', () => {
  it.each([
    ['is checked once where it comes with the head', true, undefined, 1],
    ['is checked again where it had to wait to be read', true, async () => undefined, 2],
    ['is checked again where it came after the check', false, undefined, 2],
  ])('%s', async (_what, complete, toRead, checks) => {
    const body = Object.assign(Readable.from([Buffer.from('{}')]), { complete });
    const check = jest.fn(async () => undefined);
    await checkAroundBody(body as unknown as IncomingMessage, check);
    body.complete = true;
    expect(String(await readBytes(body, LIMIT, '2', { toRead }))).toBe('{}');
    expect(check).toHaveBeenCalledTimes(checks);
  });
});
