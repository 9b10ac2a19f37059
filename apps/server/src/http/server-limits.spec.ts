import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { promisify } from 'node:util';
import { type WebSocket, WebSocketServer } from 'ws';
import { RequestLocal } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { limitServer, oneByOne } from './server-limits.js';

const LIMITS = {
  headersMs: 300,
  requestMs: 600,
  silenceMs: 900,
  keepAliveMs: 60_000,
  checkMs: 100,
  waitingBytes: 32 * 1024 * 1024,
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
      if (request.url === '/early') response.end();
      else request.resume().on('end', () => response.end(answer));
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

  describe('with pipelined requests', () => {
    const work = new RequestLocal<string>();
    /** Answers of the requests that began, and what the work for each was part of. */
    let begun: ServerResponse[];
    let within: (string | undefined)[];
    let parsed: number;
    let isAnsweredAtOnce: boolean;

    beforeEach(() => {
      [begun, within, parsed, isAnsweredAtOnce] = [[], [], 0, false];
      server.removeAllListeners('request');
      limitServer(server, LIMITS);
      server.on('request', handle);
    });

    function handle(request: IncomingMessage, response: ServerResponse) {
      parsed += 1;
      oneByOne(request, response, () => {
        begun.push(response);
        within.push(work.get());
        if (isAnsweredAtOnce) work.run('a request', () => response.end('ok'));
      });
    }

    it('begins one at a time, each in a turn of its own and as part of no other', async () => {
      open(GET.repeat(16)).resume();
      await eventually(() => expect(parsed).toBe(16));
      expect(begun).toHaveLength(1);
      isAnsweredAtOnce = true;
      work.run('a request', () => begun[0]?.end('ok'));
      await turn();
      expect(begun.length).toBeLessThan(3);
      await eventually(() => expect(begun).toHaveLength(16));
      expect(new Set(within)).toEqual(new Set([undefined]));
    });

    it('begins none whose client is gone', async () => {
      const client = open(GET.repeat(16));
      await eventually(() => expect(parsed).toBe(16));
      client.destroy();
      await freed();
      await turn();
      expect(begun).toHaveLength(1);
    });

    it('answers 16 in their order, however often, and cuts a connection with more', async () => {
      const client = open('');
      let text = '';
      client.on('data', (bytes) => (text += String(bytes)));
      for (let round = 0; round < 2; round += 1) {
        text = '';
        client.write(GET.repeat(16));
        for (let n = 0; n < 16; n += 1) {
          await eventually(() => expect(begun).toHaveLength(1));
          begun.pop()?.end(`answer ${n}.`);
        }
        await eventually(() => expect(text.match(/answer \d+\./g)).toHaveLength(16));
        expect(text.match(/(?<=answer )\d+/g)?.map(Number)).toEqual([...Array(16).keys()]);
      }
      client.write(GET.repeat(17));
      await freed();
    });

    it('cuts a connection where long heads wait', async () => {
      const fields = Array.from({ length: 250 }, (_, n) => `x-${n + 100}: ${'x'.repeat(40)}`);
      const long = `GET / HTTP/1.1\r\nHost: localhost\r\n${fields.join('\r\n')}\r\n\r\n`;
      const client = open(long.repeat(3));
      await eventually(() => expect(parsed).toBe(3));
      expect(await connections()).toBe(1);
      client.write(long.repeat(7));
      await freed();
      expect(parsed).toBe(4);
    });

    describe('of many connections', () => {
      /** The text, the one field, and what a request takes beside its head. */
      const bytes = '/Hostlocalhost'.length + 64 + 2_048;
      const waitingBytes = 30 * bytes;
      const LAST_IS_CUT = [true, true, true, true, false];

      beforeEach(() => {
        server.removeAllListeners('request');
        server.on('request', handle);
        limitServer(server, { ...LIMITS, silenceMs: 60_000, waitingBytes });
      });

      /** As many wait as may, and then one more comes. Which of their connections are open after that. */
      async function fill() {
        const full = [1, 2, 3].map(() => open(GET.repeat(11)).resume());
        await eventually(() => expect(parsed).toBe(33));
        const single = open(GET).resume();
        await eventually(() => expect(parsed).toBe(34));
        const further = open(GET.repeat(2)).resume();
        await once(further, 'close');
        expect(parsed).toBe(36);
        return [...full, single, further].map(({ closed }) => !closed);
      }

      async function empty() {
        for (const client of clients) client.destroy();
        await freed();
        [begun, parsed] = [[], 0];
      }

      it('cuts the one that adds a request to as many as may wait in all, again and again', async () => {
        expect(await fill()).toEqual(LAST_IS_CUT);
        await empty();
        expect(await fill()).toEqual(LAST_IS_CUT);
      });

      it('counts none that was answered', async () => {
        isAnsweredAtOnce = true;
        for (let n = 0; n < 4; n += 1) {
          const client = open(GET.repeat(11));
          let text = '';
          client.on('data', (data) => (text += String(data)));
          await eventually(() => expect(text.match(/ 200 /g)).toHaveLength(11));
        }
        isAnsweredAtOnce = false;
        [begun, parsed] = [[], 0];
        expect(await fill()).toEqual(LAST_IS_CUT);
      });

      it('counts none of a connection that was cut, for its own requests or by others', async () => {
        for (const requests of [17, 100]) await once(open(GET.repeat(requests)).resume(), 'close');
        // The others are parsed after that.
        server.once('request', ({ socket }: IncomingMessage) => socket.destroy());
        await once(open(GET.repeat(16)).resume(), 'close');
        // Answers before an upgrade never close.
        hub.options.verifyClient = () => false;
        for (let n = 0; n < 3; n += 1) {
          await once(open(`${GET.repeat(11)}${UPGRADE}`).resume(), 'close');
        }
        await empty();
        expect(await fill()).toEqual(LAST_IS_CUT);
      });
    });

    it('parses no request of a connection that was cut', async () => {
      open(GET.repeat(1_000)).resume();
      await eventually(() => expect(parsed).toBeGreaterThan(0));
      await freed();
      expect(parsed).toBe(17);
    });
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
    return open(GET.repeat(10)).pause();
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

  it('cuts a body of tiny pieces that arrives after its answer', async () => {
    const client = open(
      'POST /early HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n',
    );
    await once(client, 'data');
    client.write(`${'1\r\nx\r\n'.repeat(3_000)}0\r\n\r\n${GET}`);
    const end = await Promise.race([once(client, 'data'), once(client, 'close')]);
    expect(String(end[0])).not.toContain('HTTP/1.1');
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
