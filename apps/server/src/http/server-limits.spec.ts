import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { promisify } from 'node:util';
import { type WebSocket, WebSocketServer } from 'ws';
import { eventually } from '#libs/platform/testing';
import { limitServer } from './server-limits.js';

const LIMITS = {
  headersMs: 300,
  requestMs: 600,
  silenceMs: 900,
  keepAliveMs: 60_000,
  checkMs: 100,
};
const MUCH = 'x'.repeat(1_000_000);
const GET = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
const POST = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n';
const UPGRADE = [
  'GET / HTTP/1.1',
  'Host: localhost',
  'Connection: Upgrade',
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
  '',
  '',
].join('\r\n');

describe('a limited server', () => {
  let server: Server;
  let hub: WebSocketServer;
  let answer: string;
  let clients: Socket[];

  beforeEach(async () => {
    clients = [];
    answer = 'ok';
    server = createServer((request, response) => {
      request.resume().on('end', () => response.end(answer));
    });
    hub = new WebSocketServer({ server });
    limitServer(server, LIMITS);
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    for (const tab of hub.clients) tab.terminate();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  function open(bytes: string): Socket {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    client.on('error', () => undefined);
    client.write(bytes);
    clients.push(client);
    return client;
  }

  /** Sends one byte at a time for as long as possible. */
  function drip(client: Socket) {
    const timer = setInterval(() => client.write('x'), 50);
    client.once('close', () => clearInterval(timer));
  }

  const connections = () => promisify(server.getConnections.bind(server))();
  const freed = () => eventually(async () => expect(await connections()).toBe(0));

  it('cuts a connection with more than 100 requests that are not answered, however often', async () => {
    const waiting: ServerResponse[] = [];
    server.removeAllListeners('request');
    server.on('request', (_request, response) => waiting.push(response));
    limitServer(server, LIMITS);
    const client = open('').resume();
    for (let round = 0; round < 2; round += 1) {
      client.write(GET.repeat(100));
      await eventually(() => expect(waiting).toHaveLength(100));
      expect(client.destroyed).toBe(false);
      for (const response of waiting.splice(0)) response.end('ok');
    }
    client.write(GET.repeat(101));
    await freed();
  });

  it.each([
    ['says nothing', ''],
    ['does not end its headers', 'GET / HTTP/1.1\r\nHost: localhost\r\n'],
    ['sends its headers byte by byte', 'GET / HTTP/1.1\r\nX-Slow: '],
    ['does not send its body', POST],
    ['sends its body byte by byte', POST],
  ])('cuts who %s', async (what, bytes) => {
    const client = open(bytes);
    client.resume();
    if (what.endsWith('byte by byte')) drip(client);
    await eventually(() => expect(client.closed).toBe(true));
    await freed();
  });

  /** Requests more than any buffer holds, and does not read it. */
  function neglect() {
    answer = MUCH;
    return open(GET.repeat(30)).pause();
  }

  it('cuts who does not read the answer', async () => {
    neglect();
    await eventually(async () => expect(await connections()).toBe(1));
    await freed();
  });

  it.each([
    { pieces: 'tiny pieces', piece: '1\r\nx\r\n', isCut: true },
    { pieces: 'pieces of a line', piece: `64\r\n${'x'.repeat(100)}\r\n`, isCut: false },
  ])('a body of 3,000 $pieces is cut: $isCut', async ({ piece, isCut }) => {
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
    const client = open(`${head}${piece.repeat(3_000)}0\r\n\r\n`);
    const end = await Promise.race([once(client, 'data'), once(client, 'close')]);
    expect(String(end[0]).startsWith('HTTP/1.1 200 ')).toBe(!isCut);
  });

  it('leaves an idle connection to the next request, and a WebSocket to its own rules', async () => {
    const idle = open(GET);
    await once(idle, 'data');
    const tab = open(UPGRADE);
    const [socket] = (await once(hub, 'connection')) as [WebSocket];
    await once(tab, 'data');
    neglect();
    await eventually(async () => expect(await connections()).toBe(3));
    await eventually(async () => expect(await connections()).toBe(2));
    answer = 'ok';
    idle.write(GET);
    expect(String((await once(idle, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /);
    socket.send('still here');
    expect(String((await once(tab, 'data'))[0])).toContain('still here');
  });
});
