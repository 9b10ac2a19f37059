import { once } from 'node:events';
import { connect } from 'node:net';
import { Injectable } from '@nestjs/common';
import { eventually, liveHeapBytes } from '#libs/platform/testing';
import { bearer } from '../../oauth/src/testbed/protected-resource.testbed.js';
import { CallLimiter } from './call-limit.js';
import type { McpCaller, ToolRun } from './call.js';
import { toolOf } from './testbed/described.testbed.js';
import { ResourceServer } from './testbed/resource-server.testbed.js';
import { McpTool } from './tool.js';

const LISTEN = { jsonrpc: '2.0', id: 1, method: 'subscriptions/listen' };
const CALL = { jsonrpc: '2.0', id: 1, method: 'tools/call' };
const NOTE = { jsonrpc: '2.0', method: 'notifications/cancelled' };
const LONG = '65537';
const TOO_MANY = expect.objectContaining({ status: 429, headers: { 'Retry-After': '1' } });

describe('CallLimiter', () => {
  let calls: CallLimiter;
  let cut: string[];
  const acquire = (account: string) => calls.acquire(account, () => cut.push(account));
  const begin = (count: number, account = 'ann') =>
    Array.from({ length: count }, () => acquire(account));

  /** A request whose message is a call. */
  const beginCall = (account: string) => {
    const call = acquire(account);
    try {
      call.takeFor(CALL);
    } catch (error) {
      call.release();
      throw error;
    }
  };

  beforeEach(() => {
    calls = new CallLimiter();
    cut = [];
  });

  it('reads two messages more, which may be notifications and nothing else', () => {
    begin(32);
    const [first, second] = begin(2);
    expect(() => acquire('ann')).toThrow(TOO_MANY);
    first?.takeFor(NOTE);
    for (const body of [CALL, [NOTE], null]) {
      expect(() => second?.takeFor(body)).toThrow(TOO_MANY);
    }
    first?.release();
    second?.release();
    begin(2);
    expect(() => acquire('ann')).toThrow(TOO_MANY);
  });

  it('gives a place back once', () => {
    const [first] = begin(32);
    first?.release();
    first?.release();
    acquire('ann');
    expect(() => beginCall('ann')).toThrow(TOO_MANY);
  });

  it('refuses a batch that can never have its places otherwise', () => {
    const [call] = begin(1);
    expect(() => call?.takeFor(Array(33).fill({}))).toThrow(
      expect.objectContaining({ status: 400 }),
    );
    call?.takeFor(Array(32).fill({}));
  });

  it('takes nothing for a call that has ended', () => {
    const [call] = begin(1);
    call?.release();
    call?.takeFor(LISTEN);
    call?.takeFor(Array(32).fill({}));
    begin(32);
    expect(() => beginCall('ann')).toThrow(TOO_MANY);
  });

  it('lets 64 calls of an account wait for its person, which give their slots to others', () => {
    const leaving = () => {
      const [call] = begin(1);
      call?.takeFor(CALL);
      return call;
    };
    const waiting = Array.from({ length: 64 }, () => {
      const call = leaving();
      expect(call?.leave()).toBe(true);
      return call;
    });
    const next = leaving();
    expect(next?.leave()).toBe(false);
    next?.release();
    const [first, ...others] = waiting;
    expect(first?.enter()).toBe(true);
    expect(leaving()?.leave()).toBe(true);
    for (const call of others) call?.release();
    begin(31);
    expect(() => beginCall('ann')).toThrow(TOO_MANY);
    first?.release();
    beginCall('ann');
  });

  it('lets 8 calls with 512 KiB wait for its person: a long one takes several of the places', () => {
    const leaving = (bytes: number) => {
      const [call] = begin(1);
      call?.takeFor(CALL, bytes);
      return call?.leave();
    };
    expect(Array.from({ length: 9 }, () => leaving(512 * 1024))).toEqual([
      ...Array<boolean>(8).fill(true),
      false,
    ]);
  });

  it('lets messages of an account take 16 MiB, and 64 MiB in all: who takes the most gives way', () => {
    const MEBIBYTE = 1024 * 1024;
    const hold = (account: string, weight: number) => {
      const [call] = begin(1, account);
      call?.takeFor(CALL, weight);
      return call;
    };
    const first = hold('ann', 8 * MEBIBYTE);
    hold('ann', 8 * MEBIBYTE);
    expect(() => hold('ann', 65_537)).toThrow(
      expect.objectContaining({ status: 503, headers: { 'Retry-After': '1' } }),
    );
    hold('ann', 65_536);
    first?.release();
    for (const account of ['bob', 'eve', 'zoe']) hold(account, 16 * MEBIBYTE);
    hold('ann', 8 * MEBIBYTE);
    expect(cut).toEqual([]);
    hold('joe', MEBIBYTE);
    expect(cut).toHaveLength(1);
  });

  it('reads 4 long messages of an account at a time, until they are parsed or their client is gone', async () => {
    const reading = begin(4);
    for (const call of reading) expect(call.turnToRead(LONG)).toBeUndefined();
    const [parsed, gone] = reading;
    const [short, next, left, last] = begin(4);
    expect(short?.turnToRead('65536')).toBeUndefined();
    expect(begin(1, 'bob')[0]?.turnToRead(undefined)).toBeUndefined();
    const order: string[] = [];
    const waiting = [next, left, last].map(async (call, n) => {
      await call?.turnToRead(n === 1 ? undefined : LONG)?.();
      order.push(['next', 'left', 'last'][n] ?? '');
    });
    left?.release();
    await waiting[1];
    parsed?.takeFor(CALL);
    parsed?.release();
    await waiting[0];
    gone?.release();
    await Promise.all(waiting);
    expect(order).toEqual(['left', 'next', 'last']);
  });

  it('reads 64 long messages of all accounts at a time', () => {
    for (let n = 0; n < 16; n += 1) {
      for (const call of begin(4, `account ${n}`)) expect(call.turnToRead(LONG)).toBeUndefined();
    }
    expect(begin(1, 'ann')[0]?.turnToRead(LONG)).toBeDefined();
    expect(begin(1, 'ann')[0]?.turnToRead('65536')).toBeUndefined();
  });

  it('waits a second for a long message that comes slowly, and for a whole one until it is parsed', async () => {
    jest.useFakeTimers();
    try {
      const [slow, ...whole] = begin(4);
      for (const call of [slow, ...whole]) call?.turnToRead(LONG);
      for (const call of whole) call.isRead();
      const [next, last] = begin(2).map((call) => call.turnToRead(LONG)?.());
      let isLastRead = false;
      void last?.then(() => (isLastRead = true));
      jest.advanceTimersByTime(1_000);
      await next;
      slow?.release();
      expect(isLastRead).toBe(false);
      whole[0]?.takeFor(CALL);
      await last;
    } finally {
      jest.useRealTimers();
    }
  });

  it('gives a turn to read to others where its client was gone when it came', async () => {
    const [first, ...others] = begin(4);
    for (const call of [first, ...others]) call?.turnToRead(LONG);
    const [leaving, last] = begin(2);
    const turns = [leaving?.turnToRead(LONG)?.(), last?.turnToRead(LONG)?.()];
    first?.release();
    leaving?.release();
    await expect(Promise.all(turns)).resolves.toEqual([undefined, undefined]);
  });

  it('keeps nothing of an account that has nothing under way', async () => {
    const long = begin(5);
    const turns = long.map((call) => call.turnToRead(LONG)?.());
    for (const call of long) call.release();
    await Promise.all(turns);
    const [asking] = begin(1);
    asking?.leave();
    asking?.enter();
    asking?.release();
    for (const body of [{}, [], [{}, {}], LISTEN]) {
      const [call] = begin(1);
      call?.takeFor(body);
      call?.release();
    }
    const counted = (['calls', 'waiting', 'listening', 'notes', 'long'] as const).map(
      (member): unknown => Reflect.get(Reflect.get(calls, member) as object, 'lines'),
    );
    expect(counted).toEqual(Array(5).fill(new Map()));
  });
});

const MEBIBYTE = 1024 * 1024;
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };
const STUBBORN = {
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name: 'hold', arguments: { stubborn: true } },
};
const HOLD = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'hold' } };

/** A tool whose calls run until the test releases them or, if they observe the signal, until they are stopped. */
@Injectable()
class Holding {
  underWay = 0;
  most = 0;
  listed = 0;
  private gate = Promise.withResolvers<string>();

  letGo() {
    this.gate.resolve('held');
    this.gate = Promise.withResolvers();
  }

  @McpTool(toolOf('hold'))
  async hold({ stubborn }: { stubborn?: boolean }, _caller: McpCaller, { signal }: ToolRun) {
    this.underWay += 1;
    this.most = Math.max(this.most, this.underWay);
    const gone = once(signal, 'abort').then(() => 'stopped');
    const words = await Promise.race([this.gate.promise, ...(stubborn ? [] : [gone])]);
    this.underWay -= 1;
    return words;
  }

  @McpTool(toolOf('list'))
  list() {
    this.listed += 1;
    return { list: Array(20_000).fill({}) };
  }

  @McpTool(toolOf('fill'))
  fill() {
    return 'x'.repeat(MEBIBYTE / 2);
  }
}

describe('calls under way at the MCP endpoint (contract: MCP endpoint)', () => {
  let server: ResourceServer;
  let holding: Holding;

  beforeEach(async () => {
    holding = new Holding();
    server = await ResourceServer.start({ provide: Holding, useValue: holding });
    await server.give('ann', { userId: 'ann' });
    await server.give('anns-other', { userId: 'ann' });
    await server.give('bob', { userId: 'bob' });
  });
  afterEach(async () => {
    holding.letGo();
    await server.close();
  });

  const many = <T>(count: number, make: () => T) => Array.from({ length: count }, make);
  const listed = async (token: string) => {
    const response = await server.post(token, LIST);
    await response.arrayBuffer();
    return response.status;
  };
  const batchOf = (message: object, count: number) =>
    Array.from({ length: count }, (_, id) => ({ ...message, id }));
  const allPlacesAreFree = async () =>
    eventually(async () => expect((await server.post('ann', batchOf(LIST, 32))).status).toBe(200));
  const held = async (count: number) => eventually(() => expect(holding.underWay).toBe(count));

  it('are 32 an account: 429 beyond, for any app of that account and no other account', async () => {
    const statuses: number[] = [];
    const answers = many(100, async () => statuses.push((await server.post('ann', HOLD)).status));
    await held(32);
    await eventually(() => expect(statuses).toEqual(Array(68).fill(429)));
    const refused = await server.post('anns-other', LIST);
    expect(refused.status).toBe(429);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toEqual({
      jsonrpc: '2.0',
      id: null,
      error: { code: -32_000, message: expect.stringContaining('32 calls are under way') },
    });
    expect(await listed('bob')).toBe(200);
    holding.letGo();
    await Promise.all(answers);
    expect(statuses.slice(68)).toEqual(Array(32).fill(200));
    expect(holding.most).toBe(32);
    await allPlacesAreFree();
  });

  it('take 16 MiB an account by their messages: 503 beyond, until one ends', async () => {
    const heavy = { ...HOLD, params: { ...HOLD.params, arguments: { x: Array(99_000).fill({}) } } };
    const clients = new AbortController();
    const answers = many(2, () => server.post('ann', heavy, {}, clients.signal));
    const gone = Promise.allSettled(answers);
    await held(2);
    const refused = await server.post('ann', heavy);
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('1');
    expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
    expect(await listed('ann')).toBe(200);
    clients.abort();
    await gone;
    await held(0);
    const last = server.post('ann', heavy);
    await held(1);
    holding.letGo();
    expect((await last).status).toBe(200);
  });

  it('take as much by the answers that a batch has so far: beyond, a message is answered with an error', async () => {
    const fills = batchOf({ ...HOLD, params: { name: 'fill' } }, 31);
    const answer = server.post('ann', [...fills, { ...HOLD, id: 'last' }]);
    await held(1);
    const heavy = { ...LIST, params: { x: Array(99_000).fill({}) } };
    await eventually(async () => expect((await server.post('ann', heavy)).status).toBe(503));
    holding.letGo();
    const answers = (await (await answer).json()) as { id: unknown; error?: object }[];
    expect(answers.map(({ id }) => id)).toEqual([...fills.map(({ id }) => id), 'last']);
    const refused = answers.flatMap(({ error }) => error ?? []);
    expect(refused).toEqual(
      Array(16).fill({ code: -32_000, message: expect.stringContaining('too much memory') }),
    );
    await eventually(async () => expect((await server.post('ann', heavy)).status).not.toBe(503));
  });

  it('keep nothing but the text of an answer that waits for others of its batch', async () => {
    const lists = batchOf({ ...HOLD, params: { name: 'list' } }, 31);
    await (await server.post('ann', lists)).text();
    const before = await liveHeapBytes();
    const answer = server.post('ann', [...lists, { ...HOLD, id: 'last' }]);
    await eventually(() => expect(holding.listed).toBe(62));
    await held(1);
    expect((await liveHeapBytes()) - before).toBeLessThan(15 * MEBIBYTE);
    holding.letGo();
    expect((await answer).status).toBe(200);
  });

  it('count each message of a batch', async () => {
    expect((await server.post('ann', batchOf(HOLD, 33))).status).toBe(400);
    const answer = server.post('ann', batchOf(HOLD, 20));
    await held(20);
    expect((await server.post('ann', batchOf(HOLD, 13))).status).toBe(429);
    const rest = server.post('ann', batchOf(HOLD, 12));
    await held(32);
    expect(await listed('ann')).toBe(429);
    holding.letGo();
    expect((await Promise.all([answer, rest])).map(({ status }) => status)).toEqual([200, 200]);
  });

  it('end when their client goes away', async () => {
    const clients = new AbortController();
    const answers = many(32, () => server.post('ann', HOLD, {}, clients.signal));
    const gone = Promise.allSettled(answers);
    await held(32);
    expect(await listed('ann')).toBe(429);
    clients.abort();
    await gone;
    await allPlacesAreFree();
  });

  it('keep their places while their tools go on, even when their client is gone', async () => {
    const clients = new AbortController();
    const answers = many(20, () => server.post('ann', STUBBORN, {}, clients.signal));
    const batch = server.post('ann', batchOf(STUBBORN, 10), {}, clients.signal);
    const gone = Promise.allSettled([...answers, batch]);
    await held(30);
    clients.abort();
    await gone;
    expect((await server.post('ann', batchOf(LIST, 3))).status).toBe(429);
    expect((await server.post('ann', batchOf(LIST, 2))).status).toBe(200);
    expect(holding.underWay).toBe(30);
    holding.letGo();
    await allPlacesAreFree();
  });

  it('end with a connection that brought several without waiting for answers', async () => {
    const body = JSON.stringify(HOLD);
    const request = [
      'POST /svc/mcp HTTP/1.1',
      `Host: ${new URL(server.origin).host}`,
      `Authorization: ${bearer('ann')}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      '',
      body,
    ].join('\r\n');
    const socket = connect(Number(new URL(server.origin).port), '127.0.0.1');
    await once(socket, 'connect');
    socket.write(request.repeat(32));
    await held(32);
    expect(await listed('ann')).toBe(429);
    socket.destroy();
    await allPlacesAreFree();
  });

  it('are read where they are long, although slow ones of their account have all turns', async () => {
    const { host, port } = new URL(server.origin);
    const head = [
      'POST /svc/mcp HTTP/1.1',
      `Host: ${host}`,
      `Authorization: ${bearer('ann')}`,
      'Content-Type: application/json',
      'Content-Length: 100000',
    ].join('\r\n');
    const slow = many(4, () => connect(Number(port), '127.0.0.1'));
    await Promise.all(slow.map((socket) => once(socket, 'connect')));
    for (const socket of slow) socket.write(`${head}\r\nExpect: 100-continue\r\n\r\n`);
    await Promise.all(slow.map((socket) => once(socket, 'data')));
    const long = { ...LIST, params: { _meta: { pad: 'x'.repeat(100_000) } } };
    for (const { status } of await Promise.all(many(8, () => server.post('ann', long)))) {
      expect(status).toBe(200);
    }
    for (const socket of slow) socket.destroy();
    await allPlacesAreFree();
  });

  it('end with any answer', async () => {
    const ends: [unknown, Record<string, string>][] = [
      ['{', {}],
      [' '.repeat(600_000), {}],
      ['['.repeat(200), {}],
      [LIST, { 'Content-Type': 'text/plain' }],
      [LIST, { Accept: 'text/html' }],
      [{ ...HOLD, params: { name: 'nothing' } }, {}],
      [{ jsonrpc: '2.0', method: 'notifications/initialized' }, {}],
      [[], {}],
    ];
    for (const [message, headers] of ends) {
      const responses = await Promise.all(
        many(16, () => server.post('ann', message, headers).then((it) => it.arrayBuffer())),
      );
      expect(responses).toHaveLength(16);
    }
    await allPlacesAreFree();
  });

  it('are counted before a body is read, but for two that may cancel a call', async () => {
    const answers = many(32, () => server.post('ann', HOLD));
    await held(32);
    const slow = new AbortController();
    const unfinished = many(2, () =>
      server.fetch('/svc/mcp', {
        method: 'POST',
        headers: { Authorization: bearer('ann'), 'Content-Type': 'application/json' },
        body: new ReadableStream({ start: (body) => body.enqueue(new Uint8Array([32])) }),
        duplex: 'half',
        signal: slow.signal,
      } as RequestInit),
    );
    const gone = Promise.allSettled(unfinished);
    await eventually(async () =>
      expect((await server.post('ann', 'x'.repeat(2_000_000))).status).toBe(429),
    );
    slow.abort();
    await gone;
    const note = { jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } };
    await eventually(async () => expect((await server.post('ann', note)).status).toBe(202));
    expect(await listed('ann')).toBe(429);
    holding.letGo();
    await Promise.all(answers);
  });
});
