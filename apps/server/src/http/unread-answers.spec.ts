import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Request, Response } from 'express';
import { countBodyMemory, chargeBodyTo } from '#libs/accounts';
import { HeldBytes } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { exactExpress } from './express.adapter.js';
import { UnreadAnswers } from './unread-answers.js';

const MEBIBYTE = 1024 * 1024;
/** More than the kernel takes for one connection, also over loopback. */
const MUCH_BYTES = 12 * MEBIBYTE;
const BOUNDS = { perHolder: 30 * MEBIBYTE, inAll: 50 * MEBIBYTE };

type Route = (request: Request, response: Response) => unknown;

describe('answers that are not read', () => {
  let server: Server;
  let answers: UnreadAnswers;
  let clients: Socket[];
  let responses: Response[];
  let route: Route;

  async function start(stalledChecks = 1_000_000, bounds = BOUNDS) {
    answers = new UnreadAnswers(new HeldBytes(bounds), stalledChecks);
    const app = exactExpress();
    answers.watch(app);
    app.use(countBodyMemory(new HeldBytes()), (request, response) => {
      responses.push(response);
      const account = request.get('account');
      if (account !== undefined) chargeBodyTo(request, account);
      route(request, response);
    });
    server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
  }

  beforeEach(() => {
    [clients, responses] = [[], []];
    route = (_request, response) => response.end('x'.repeat(MUCH_BYTES));
  });
  afterEach(async () => {
    for (const client of clients) client.destroy();
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  });

  const requestOf = (account: string) =>
    `GET / HTTP/1.1\r\nHost: localhost\r\nAccount: ${account}\r\n\r\n`;

  /** A client that reads nothing of its answers until it is resumed. */
  function neglect(account: string, requests = 1): Socket {
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    clients.push(client.on('error', () => undefined));
    client.write(requestOf(account).repeat(requests));
    return client;
  }

  const answered = (count: number) => eventually(() => expect(responses).toHaveLength(count));
  const isOpen = () => responses.map(({ destroyed }) => !destroyed);
  /** Checks again and again, as the interval does, until `expectation` holds. */
  const afterChecks = (expectation: () => void) =>
    eventually(() => {
      answers.check();
      expectation();
    });
  const holds = (bytes: number) => afterChecks(() => expect(answers.held.bytes).toBe(bytes));

  it('count until they are read, and those that the kernel takes at once do not', async () => {
    await start();
    const slow = neglect('ann');
    await answered(1);
    expect(answers.held.bytes).toBeGreaterThanOrEqual(MUCH_BYTES);
    route = (_request, response) => response.json({ small: true });
    const held = answers.held.bytes;
    for (let n = 2; n < 10; n += 1) {
      neglect('ann');
      await answered(n);
    }
    expect(answers.held.bytes).toBe(held);
    slow.resume();
    await holds(0);
    slow.write(requestOf('ann'));
    await answered(10);
    expect(answers.cut).toEqual({ bytes: 0, time: 0 });
  });

  it('count by their bytes, also behind others on one connection, and until it closes', async () => {
    await start();
    route = (_request, response) => response.end('\u4e16'.repeat(MUCH_BYTES / 3));
    const client = neglect('ann', 2);
    await answered(2);
    await eventually(() => expect(answers.held.bytes).toBeGreaterThanOrEqual(2 * MUCH_BYTES));
    client.destroy();
    await holds(0);
  });

  it('keep nothing but themselves in memory', async () => {
    const kept: unknown[] = [];
    route = (_request, response) => {
      response.end('x'.repeat(20_000));
      const { outputData } = response as Response & { outputData: { data: unknown }[] };
      kept.push(...outputData.map(({ data }) => data).filter(Buffer.isBuffer));
    };
    await start();
    neglect('ann', 2);
    await answered(2);
    expect(kept).not.toEqual([]);
    for (const bytes of kept as Buffer[]) expect(bytes.buffer.byteLength).toBe(20_000);
  });

  it('are cut beyond the bound of their account: the largest first, however it is sent', async () => {
    await start();
    const sizes = [9, 14, 10];
    route = (_request, response) => {
      const text = 'x'.repeat((sizes.shift() ?? 0) * MEBIBYTE);
      if (sizes.length === 1) response.write(text);
      else response.end(text);
    };
    for (let n = 1; n <= 3; n += 1) {
      neglect('ann');
      await answered(n);
    }
    await eventually(() => expect(isOpen()).toEqual([true, false, true]));
    expect(answers.cut).toEqual({ bytes: 1, time: 0 });
  });

  it('are cut beyond the bound for all, of the account that has the most', async () => {
    await start();
    for (const [at, account] of ['ann', 'ann', 'bob', 'bob', 'eve'].entries()) {
      neglect(account);
      await answered(at + 1);
    }
    await eventually(() => expect(isOpen().filter(Boolean)).toHaveLength(4));
    expect(isOpen().at(-1)).toBe(true);
    expect(answers.held.bytes).toBeLessThanOrEqual(BOUNDS.inAll);
  });

  it('hold nothing once cut, where one connection has answers of several accounts', async () => {
    await start(undefined, { perHolder: 30 * MEBIBYTE, inAll: 30 * MEBIBYTE });
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
    clients.push(client.on('error', () => undefined));
    client.write(['ann', 'ann', 'bob'].map(requestOf).join(''));
    await answered(3);
    await eventually(() => expect(isOpen()).toEqual([false, false, false]));
    await holds(0);
  });

  it('are dropped as soon as they are cut, and so is what is answered on that connection after that', async () => {
    await start();
    const kept: number[] = [];
    route = (_request, response) => {
      response.end('x'.repeat(MUCH_BYTES));
      const [, ...behind] = responses.map(({ writableLength }) => writableLength);
      kept.push(behind.reduce((sum, bytes) => sum + bytes, 0));
    };
    neglect('ann', 4);
    await answered(4);
    expect(kept.map((bytes) => Math.floor(bytes / MUCH_BYTES))).toEqual([0, 1, 0, 0]);
    await holds(0);
  });

  it('are cut when no byte is taken for some checks, and not while some are', async () => {
    await start(25);
    const reading = neglect('ann');
    neglect('bob');
    const read = setInterval(() => void reading.read(64 * 1024), 10);
    await answered(2);
    await afterChecks(() => expect(isOpen()).toEqual([true, false]));
    expect(answers.cut).toEqual({ bytes: 0, time: 1 });
    clearInterval(read);
    await afterChecks(() => expect(isOpen()).toEqual([false, false]));
    await holds(0);
  });

  it('are cut as streams too, but not a stream that has nothing to send', async () => {
    await start(5);
    route = (request, response) =>
      response.write(request.get('account') === 'idle' ? 'x' : 'x'.repeat(MUCH_BYTES));
    neglect('idle');
    const client = neglect('read').resume();
    await answered(2);
    await eventually(() => expect(client.bytesRead).toBeGreaterThan(MUCH_BYTES));
    await holds(0);
    neglect('unread');
    await answered(3);
    await afterChecks(() => expect(isOpen()).toEqual([true, true, false]));
    client.pause();
    responses[1]?.write('x'.repeat(MUCH_BYTES));
    await afterChecks(() => expect(isOpen()).toEqual([true, false, false]));
  });
});
