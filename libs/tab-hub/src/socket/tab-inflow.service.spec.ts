import { once } from 'node:events';
import type { Socket } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { MessageMappingProperties } from '@nestjs/websockets';
import { WebSocket } from 'ws';
import { AccountTurns, HeldBytes } from '#libs/platform';
import { eventually } from '#libs/platform/testing';
import { FrameError } from '../protocol/frame-fields.js';
import { hubFrame } from '../protocol/frames-to-tab.js';
import { TabHubTestbed } from './tab-hub.testbed.js';
import { SerialQueue, MessageRate, TabInflowService } from './tab-inflow.service.js';
import type { TabSocket } from './tab-socket.js';

describe('MessageRate', () => {
  let now: number;
  let rate: MessageRate;

  /** `fits`: whether there is room for a message that is in time. */
  const message = (fits = true) => (rate.take() && fits ? 'pass' : rate.refuse());
  const take = (count: number) => Array.from({ length: count }, () => message());
  const passed = (count: number) => take(count).filter((action) => action === 'pass').length;

  beforeEach(() => {
    now = 1000;
    rate = new MessageRate(() => now);
  });

  it('lets 100 through at once, then 50 a second', () => {
    expect(passed(150)).toBe(100);
    now += 500;
    expect(passed(100)).toBe(25);
    now += 10_000;
    expect(passed(200)).toBe(100);
  });

  it('warns once a second at most', () => {
    take(100);
    expect(take(3)).toEqual(['warn', 'drop', 'drop']);
    now += 19;
    expect(message()).toBe('drop');
    now += 981;
    expect(passed(50)).toBe(50);
    expect(take(2)).toEqual(['warn', 'drop']);
  });

  it('gives up after 500 dropped messages', () => {
    take(100);
    expect(take(500)).not.toContain('close');
    expect(message()).toBe('close');
  });

  it('counts one message as several, if it is told so', () => {
    const actions = Array.from({ length: 40 }, () => rate.refuse(16));
    expect(actions.indexOf('close')).toBe(Math.floor(500 / 16));
  });

  it('drops what does not fit, and gives up in the end', () => {
    expect(message(false)).toBe('warn');
    expect(take(1)).toEqual(['pass']);
    const actions = Array.from({ length: 600 }, () => {
      now += 20;
      return message(false);
    });
    expect(actions.indexOf('close')).toBe(500 - 1);
  });

  it('forgives when the bucket was full again', () => {
    take(600);
    now += 1999;
    expect(message()).toBe('pass');
    expect(take(100)).toContain('close');
    now += 2000;
    expect(take(600)).not.toContain('close');
  });
});

describe('SerialQueue', () => {
  let flow: string[];
  let held: number;
  let done: number[];
  let finish: (() => void)[];
  let queue: SerialQueue<number>;

  beforeEach(() => {
    [flow, held, done, finish] = [[], 0, [], []];
    const inflow = {
      pause: () => flow.push('pause'),
      resume: () => flow.push('resume'),
      queue: (bytes: number) => (held += bytes),
    };
    const handle = async (frame: number) => {
      await new Promise<void>((resolve) => finish.push(resolve));
      done.push(frame);
    };
    queue = new SerialQueue(inflow, handle, (frame) => Math.max(frame, 1));
  });

  async function work(count: number) {
    for (let n = 0; n < count; n += 1) {
      finish.shift()?.();
      await new Promise((resolve) => {
        setImmediate(resolve);
      });
    }
  }

  it('works on one frame after the other, in order', async () => {
    for (const frame of [1, 2, 3]) queue.push(frame);
    expect(finish).toHaveLength(1);
    await work(2);
    queue.push(4);
    await work(2);
    expect(done).toEqual([1, 2, 3, 4]);
    expect(flow).toEqual([]);
  });

  it('counts a frame from when it waits until it is done', async () => {
    for (const frame of [10, 20, 30]) queue.push(frame);
    expect(held).toBe(60);
    await work(1);
    expect(held).toBe(50);
    await work(2);
    expect(held).toBe(0);
  });

  it('holds the inflow back while eight frames wait, and loses none', async () => {
    for (let frame = 0; frame < 20; frame += 1) queue.push(frame);
    expect(flow).toEqual(['pause']);
    await work(11);
    expect(flow).toEqual(['pause']);
    await work(1);
    expect(flow).toEqual(['pause', 'resume']);
    await work(8);
    expect(done).toEqual(Array.from({ length: 20 }, (_, n) => n));
    queue.push(20);
    await work(1);
    expect(done.at(-1)).toBe(20);
  });

  it('holds the inflow back while 32 KiB wait, and loses none', async () => {
    for (const frame of [60_000, 32_000, 767]) queue.push(frame);
    expect(flow).toEqual([]);
    for (const frame of [1, 60_001, 60_002, 60_003]) queue.push(frame);
    expect(flow).toEqual(['pause']);
    await work(5);
    expect(flow).toEqual(['pause']);
    await work(1);
    expect(flow).toEqual(['pause', 'resume']);
    await work(1);
    expect(done).toEqual([60_000, 32_000, 767, 1, 60_001, 60_002, 60_003]);
  });

  it.each([8, 32_768])(
    'holds it back only as long as too much waits, time after time (%i)',
    async (frame) => {
      const count = frame === 8 ? 8 : 1;
      for (let time = 1; time <= 3; time += 1) {
        for (let n = 0; n <= count; n += 1) queue.push(frame);
        expect(flow.splice(0)).toEqual(['pause']);
        await work(1);
        expect(flow.splice(0)).toEqual(['resume']);
        await work(count);
      }
      expect(done).toHaveLength(3 * (count + 1));
    },
  );
});

const TOO_MANY = 700;

/** The connection under a page's WebSocket, for what its library would not send. */
const wireOf = (page: WebSocket) => (page as unknown as { _socket: Socket })._socket;

describe('TabInflowService', () => {
  let hub: TabHubTestbed;
  let inflow: TabInflowService;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
    inflow = new TabInflowService(hub.connections, new AccountTurns());
  });
  afterEach(() => hub.stop());

  const connect = async (handlers: MessageMappingProperties[] = []) => {
    const connected = await hub.connect();
    inflow.bind(connected.tab, handlers);
    await eventually(() => expect(connected.page.readyState).toBe(WebSocket.OPEN));
    return connected;
  };

  it.each(['send', 'pong'] as const)(
    'reads nothing more of a tab that sent too much by %s, and tells it why',
    async (how) => {
      const { tab, page, closed } = await connect();
      // What has not seen the close does not answer it, and goes on.
      page.pause();
      for (let n = 0; n < TOO_MANY; n += 1) page[how]('');
      await eventually(() => expect(tab.isOpen).toBe(false));
      expect(tab.isPaused).toBe(true);
      page.resume();
      expect(await closed).toBe(4408);
    },
  );

  it('reads nothing more of one that sends too much when its connection is closing already', async () => {
    const { tab, page, closed } = await connect();
    page.pause();
    tab.close(1000);
    for (let n = 0; n < TOO_MANY; n += 1) page.send('');
    await eventually(() => expect(tab.isPaused).toBe(true));
    page.resume();
    expect(await closed).toBe(1000);
  });

  it.each(['ping', 'pong'] as const)(
    'gives a tab up that fills the time between the pieces of a frame with %ss',
    async (kind) => {
      const { tab, page, closed } = await connect();
      page.send('{', { fin: false });
      // Few enough for the limit of frames.
      for (let n = 0; n < 60; n += 1) page[kind]('x'.repeat(125));
      await eventually(() => expect(tab.isOpen).toBe(false));
      expect(await closed).toBe(4408);
    },
  );

  it('has one listener for each event of a tab: each costs memory of every tab', async () => {
    const { tab } = await connect();
    const counts = ['message', 'ping', 'pong'].map((event) => [event, tab.listenerCount(event)]);
    expect(Object.fromEntries(counts)).toEqual({ message: 1, ping: 1, pong: 1 });
    // The one of `ws`, and the count of what came.
    expect(wireOf(tab).listenerCount('data')).toBe(2);
  });

  it('counts pongs that are not read, and keeps nothing of what came with their pings', async () => {
    const { tab, page, frames } = await connect();
    await eventually(() => expect(frames).not.toEqual([]));
    const held = new HeldBytes({ perHolder: Infinity, inAll: Infinity });
    tab.unread = held;
    page.pause();
    while (tab.bufferedAmount === 0) {
      tab.write(hubFrame('pong', 'x'.repeat(60_000)));
      await nextTurn();
    }
    const before = held.bytes;
    for (let n = 0; n < 20; n += 1) {
      page.ping(`${n}`);
      page.send('x'.repeat(60_000));
    }
    await eventually(() => expect(inflow.counts.received).toBe(20));
    await nextTurn();
    expect(held.bytes - before).toBeGreaterThan(20 * 256);
    const wire = wireOf(tab);
    const state = Reflect.get(wire, '_writableState') as { buffered: { chunk: Buffer }[] };
    const kept = state.buffered.filter(({ chunk }) => chunk.length < 60_000);
    expect(kept.length).toBeGreaterThan(0);
    for (const { chunk } of kept) expect(chunk.buffer.byteLength).toBeLessThan(256);
    page.resume();
    await eventually(() => expect(held.bytes).toBe(0));
  });

  it('keeps one that pings as clients do', async () => {
    const { tab, page } = await connect();
    tab.isAlive = false;
    for (let n = 0; n < 60; n += 1) page.ping('beat');
    await new Promise((resolve) => page.once('pong', resolve));
    expect([tab.isOpen, tab.isAlive]).toEqual([true, true]);
  });

  it('keeps of a frame that waits nothing of what was read along with it', async () => {
    const { tab, page } = await connect();
    const taken = jest.spyOn(inflow, 'take');
    tab.pause();
    const frame = '{"event":"none"}';
    page.send(frame);
    page.send(Buffer.alloc(60_000));
    await eventually(() => expect(page.bufferedAmount).toBe(0));
    tab.resume();
    await eventually(() => expect(taken).toHaveBeenCalled());
    const kept = taken.mock.calls.map(([, raw]) => Buffer.isBuffer(raw) && raw.buffer.byteLength);
    expect(kept).toEqual([frame.length]);
    taken.mockRestore();
  });

  it('keeps nothing of a tab that leaves while its account is held back', async () => {
    const [staying, leaving] = [await connect(), await connect()];
    const order: string[] = [];
    const take = async ({ tab, page }: typeof staying, name: string) => {
      const refused = once(page, 'message');
      const taken = inflow.take(tab, Buffer.alloc(8 * 1024 * 1024, 'x'), {});
      void taken.then(() => order.push(name));
      await refused;
      return () => taken;
    };
    const stays = await take(staying, 'stays');
    const leaves = await take(leaving, 'leaves');
    leaving.page.terminate();
    await leaves();
    expect(leaving.tab.heldBack).toBeUndefined();
    await stays();
    expect(order).toEqual(['leaves', 'stays']);
  });

  it('reads less than 200 KiB of a tab whose frame waits, and all of it in the end', async () => {
    const handled: number[] = [];
    const { promise, resolve } = Promise.withResolvers<void>();
    const callback = async (data: unknown) => {
      await promise;
      handled.push(Number(data));
    };
    const { tab, page } = await connect([
      { message: 'ping', methodName: 'ping', isAckHandledManually: false, callback },
    ]);
    let read = 0;
    tab.on('message', () => (read += 1));
    const sent = Array.from({ length: 25 }, (_, n) => n);
    for (const n of sent) {
      page.send(JSON.stringify({ event: 'ping', data: `${n}`.padEnd(60_000) }));
    }
    await eventually(() => expect(tab.isPaused).toBe(true));
    expect(read).toBeLessThan(4);
    resolve();
    await eventually(() => expect(handled).toEqual(sent));
  });

  describe('over all accounts', () => {
    const PIECE = 16 * 1024;
    let held: HeldBytes;

    beforeEach(() => {
      held = new HeldBytes({ perHolder: Infinity, inAll: 4 * 64 * 1024 });
    });

    /** A tab of an account of its own, with all accounts bounded by 256 KiB. */
    const connectAs = async (userId: string, handlers?: MessageMappingProperties[]) => {
      const connected = await connect(handlers);
      connected.tab.userId = userId;
      connected.tab.incoming = held;
      return connected;
    };
    const ping = (callback: (data: unknown) => Promise<void>): MessageMappingProperties[] => [
      { message: 'ping', methodName: 'ping', isAckHandledManually: false, callback },
    ];
    /** The beginning of a frame of 64,000 bytes, on the wire (RFC 6455, section 5.2), with no mask. */
    const begin = ({ page }: Awaited<ReturnType<typeof connect>>, bytes: number, before = '') =>
      wireOf(page).write(
        Buffer.concat([
          Buffer.from(before, 'hex'),
          Buffer.from('81fefa0000000000', 'hex'),
          Buffer.alloc(bytes, ' '),
        ]),
      );

    it('cuts what is not whole of the account with the most, and takes the frame of another in pieces', async () => {
      const greedy = [await connectAs('eve'), await connectAs('eve'), await connectAs('eve')];
      for (const [n, one] of greedy.entries()) {
        begin(one, 60_000);
        await eventually(() => expect(held.bytes).toBeGreaterThan((n + 1) * 60_000));
      }
      const frames: unknown[] = [];
      const small = await connectAs(
        'bob',
        ping(async (data) => void frames.push(data)),
      );
      small.page.send('{"event":"ping","data":"', { fin: false });
      for (let n = 0; n < 3; n += 1) {
        small.page.send('x'.repeat(PIECE), { fin: false });
        await eventually(() => expect(held.bytes).toBeGreaterThan(3 * 60_000 + (n + 1) * PIECE));
      }
      const more = await connectAs('eve');
      const all = [...greedy, more];
      const told = all.map(({ page }) => once(page, 'close'));
      begin(more, 60_000);
      await eventually(() => expect(all.some(({ tab }) => !tab.isOpen)).toBe(true));
      expect(held.bytes).toBeLessThanOrEqual(4 * 64 * 1024);
      const [code, reason] = (await Promise.race(told)) as unknown[];
      expect([code, String(reason)]).toEqual([1013, 'too much waits to be handled']);
      small.page.send('"}');
      await eventually(() => expect(frames).toEqual(['x'.repeat(3 * PIECE)]));
      expect(small.tab.isOpen).toBe(true);
      for (const { page } of all) page.terminate();
      await eventually(() => expect(held.bytes).toBe(0));
    });

    it('counts all that was read along with the beginning of a frame, and nothing for whole ones', async () => {
      const counts = jest.spyOn(held, 'set');
      const one = await connectAs('eve');
      const { tab, page } = one;
      const heard = once(tab, 'message');
      page.send('{"event":"none"}');
      await heard;
      expect(counts).not.toHaveBeenCalled();
      // A whole frame without text before it, of which nothing is kept.
      begin(one, 30_000, '818000000000');
      await eventually(() => expect(held.bytes).toBe(6 + 8 + 30_000));
      wireOf(page).write(Buffer.alloc(34_000, ' '));
      await eventually(() => expect(held.bytes).toBe(0));
    });

    it('counts frames that wait, and what waits behind them in the buffer of the connection', async () => {
      const { promise, resolve } = Promise.withResolvers<void>();
      const { tab, page } = await connect(ping(() => promise));
      const bytes = () => tab.incoming?.bytes ?? 0;
      const frame = JSON.stringify({ event: 'ping', data: 'x'.repeat(60_000) });
      for (let n = 0; n < 8; n += 1) page.send(frame);
      await eventually(() => {
        hub.connections.countIncoming();
        expect(bytes()).toBeGreaterThan(200_000);
      });
      expect(tab.isPaused).toBe(true);
      resolve();
      await eventually(() => expect(bytes()).toBe(0));
    });

    it('counts what may have been read of a tab that is cut off until its connection has closed', async () => {
      const { tab, page } = await connectAs('eve');
      const closed = once(tab, 'close');
      page.pause();
      for (let n = 0; n < TOO_MANY; n += 1) page.send('');
      await eventually(() => expect(tab.isOpen).toBe(false));
      for (let n = 0; n < 4; n += 1) page.send(Buffer.alloc(60_000));
      await eventually(() => expect(wireOf(tab).readableLength).toBeGreaterThan(0));
      hub.connections.countIncoming();
      expect(held.bytes).toBeGreaterThanOrEqual(wireOf(tab).readableLength);
      page.terminate();
      await closed;
      expect(held.bytes).toBe(0);
    });

    it('reads once at most of a tab that is read no further, however little comes at a time', async () => {
      const [paused, other] = [await connect(), await connect()];
      paused.tab.pause();
      for (let n = 0; n < 10; n += 1) {
        paused.page.send('x');
        other.page.ping();
        // What came before it, on another connection, has been read by then.
        await once(other.page, 'pong');
      }
      // A frame of one byte, its head and its mask.
      expect(wireOf(paused.tab).readableLength).toBe(2 + 4 + 1);
    });
  });

  it('takes no turn for frames of a tab that has gone', async () => {
    const { tab } = await hub.connect();
    tab.terminate();
    const turns = jest.spyOn(AccountTurns.prototype, 'take');
    await inflow.take(tab, Buffer.alloc(60_000), {});
    expect(turns).not.toHaveBeenCalled();
    turns.mockRestore();
  });

  describe('takes turns', () => {
    let turns: jest.SpyInstance;

    beforeEach(() => {
      turns = jest.spyOn(AccountTurns.prototype, 'take');
    });
    afterEach(() => turns.mockRestore());

    const handlers = { ping: async () => {} };
    const ping = (length: number) => Buffer.from('{"event":"ping"}'.padEnd(length));

    it.each([
      [2500, 300],
      [1000, 600],
      [16, 1200],
    ])('for frames of %i bytes, when there are %i within a second', async (length, many) => {
      const { tab } = await connect();
      for (let n = 0; n < many / 3; n += 1) await inflow.take(tab, ping(length), handlers);
      expect(turns).not.toHaveBeenCalled();
      for (let n = 0; n < many; n += 1) await inflow.take(tab, ping(length), handlers);
      expect(turns).toHaveBeenCalled();
    });

    it.each<[string, (tab: TabSocket) => unknown]>([
      ['errors', (tab) => tab.refuse(new FrameError('bad_message', 'no'))],
      ['acks', (tab) => hub.gateway.send(tab, { to: '*', body: 1, id: 'a' })],
    ])('once an account got many %s', async (_what, answer) => {
      const { tab } = await connect();
      for (let n = 0; n < 300; n += 1) await answer(tab);
      await inflow.take(tab, ping(16), handlers);
      expect(turns).not.toHaveBeenCalled();
      for (let n = 0; n < 1200; n += 1) await answer(tab);
      await inflow.take(tab, ping(16), handlers);
      expect(turns).toHaveBeenCalled();
    });
  });

  it('works on two long frames of an account at a time', async () => {
    const { tab } = await connect();
    const begun: PromiseWithResolvers<void>[] = [];
    const send = async () => {
      begun.push(Promise.withResolvers());
      return begun.at(-1)?.promise;
    };
    const frame = (length: number) =>
      Buffer.from(JSON.stringify({ event: 'send', data: { to: '*', body: 'x'.repeat(length) } }));
    const taken = [8, 8, 8, 8].map((kib) => inflow.take(tab, frame(kib * 1024), { send }));
    await eventually(() => expect(begun).toHaveLength(2));
    const short = inflow.take(tab, frame(100), { send });
    await eventually(() => expect(begun).toHaveLength(3));
    for (let n = 0; n < 5; n += 1) {
      await eventually(() => expect(begun.length).toBeGreaterThan(n));
      begun[n]?.resolve();
    }
    await Promise.all([...taken, short]);
    expect(begun).toHaveLength(5);
  });
});
