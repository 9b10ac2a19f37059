import { eventually } from '#libs/platform/testing';
import type { TabBus, TabBusMessage } from './tab-bus.js';

export interface OpenTabBuses {
  /** The buses of one or more replicas, the first of them at least twice used. */
  readonly replicas: readonly [TabBus, ...TabBus[]];
  close(): Promise<void>;
}

const ack = (id: number | string): TabBusMessage => ({
  kind: 'ack',
  id: String(id),
  delivered: 1,
});

const EVERY_KIND: readonly TabBusMessage[] = [
  { kind: 'tabs' },
  { kind: 'tabs', tools: true },
  {
    kind: 'message',
    to: 't1',
    except: null,
    message: { from: 't2', body: { a: [1, 'ä\n', null] } },
  },
  {
    kind: 'message',
    to: '*',
    except: 't2',
    message: { from: null, app: 'Editor', body: false },
    ackId: 'r1',
  },
  {
    kind: 'request',
    to: 't1',
    id: 'r2',
    app: 'Editor',
    method: '__proto__',
    params: null,
    expiresAt: '2026-01-01T00:00:00.000Z',
  },
  {
    kind: 'request',
    to: 't1',
    id: 'r3',
    app: 'Editor',
    method: 'save',
    params: {},
    expiresAt: '2026-01-01T00:00:00.000Z',
    timeoutMs: 10_000,
    wantsProgress: true,
  },
  { kind: 'ack', id: 'r2', delivered: 0 },
  { kind: 'progress', id: 'r3', progress: { progress: 0.5 } },
  { kind: 'progress', id: 'r3', progress: { progress: 2, total: 3, message: 'ä\n' } },
  { kind: 'settled', id: 'r2', outcome: { ok: true, value: null } },
  { kind: 'settled', id: 'r2', outcome: { ok: false, error: '' } },
  { kind: 'settled', id: 'r2', outcome: { ok: true, value: undefined } },
  { kind: 'settled', id: 'r2', outcome: null },
  { kind: 'session-ended', session: 'hash' },
];

/** What every TabBus must do; each adapter's spec runs it. */
export function describeTabBus(open: () => Promise<OpenTabBuses>) {
  let opened: OpenTabBuses;
  let bus: TabBus;
  let other: TabBus;
  let user: string;
  let users = 0;

  beforeAll(async () => {
    opened = await open();
    bus = opened.replicas[0];
    other = opened.replicas.at(-1) ?? bus;
  });
  afterAll(() => opened?.close());
  beforeEach(() => {
    user = `user-${++users}`;
  });

  async function listen(on: TabBus, userId = user) {
    const received: TabBusMessage[] = [];
    const end = await on.subscribe(userId, (message) => received.push(message));
    return { received, end };
  }
  const receives = (
    { received }: { received: TabBusMessage[] },
    messages: readonly TabBusMessage[],
  ) => eventually(() => expect(received).toEqual(messages));

  it('reaches no replica when none listens', async () => {
    await expect(bus.publish(user, { kind: 'tabs' })).resolves.toBe(0);
  });

  it('reaches every replica once, the publishing one included', async () => {
    const listening = await Promise.all(opened.replicas.map((replica) => listen(replica)));
    await expect(bus.publish(user, ack(1))).resolves.toBe(opened.replicas.length);
    await Promise.all(listening.map((listener) => receives(listener, [ack(1)])));
    await Promise.all(listening.map(({ end }) => end()));
    await expect(bus.publish(user, ack(2))).resolves.toBe(0);
    expect(listening.map(({ received }) => received.length)).toEqual(listening.map(() => 1));
  });

  it('carries every kind of message as it is', async () => {
    const listener = await listen(other);
    for (const message of EVERY_KIND) void bus.publish(user, message);
    await receives(listener, EVERY_KIND);
    await listener.end();
  });

  it('keeps the order of the calls', async () => {
    const listeners = [await listen(bus), await listen(other)];
    const messages = Array.from({ length: 500 }, (_, n) => ack(n));
    await Promise.all(messages.map((message) => bus.publish(user, message)));
    for (const listener of listeners) await receives(listener, messages);
    await Promise.all(listeners.map(({ end }) => end()));
  });

  it('delivers after the publisher has gone on', async () => {
    const listener = await listen(bus);
    const publishing = bus.publish(user, ack(1));
    expect(listener.received).toEqual([]);
    await publishing;
    await receives(listener, [ack(1)]);
    await listener.end();
  });

  it('delivers what a listener publishes on receipt after the received message, to every listener', async () => {
    const early = await listen(bus);
    const end = await bus.subscribe(user, ({ kind }) => {
      if (kind === 'tabs') void bus.publish(user, ack('echo'));
    });
    const late = await listen(bus);
    void bus.publish(user, { kind: 'tabs' });
    for (const listener of [early, late]) {
      await receives(listener, [{ kind: 'tabs' }, ack('echo')]);
      await listener.end();
    }
    await end();
  });

  it('keeps accounts apart', async () => {
    const [mine, theirs] = [await listen(other), await listen(other, `${user}:b`)];
    await bus.publish(`${user}:b`, ack(1));
    await bus.publish(user, ack(2));
    await receives(mine, [ack(2)]);
    await receives(theirs, [ack(1)]);
    await Promise.all([mine.end(), theirs.end()]);
  });

  it('tells every subscription of an account, the same function as often as it listens', async () => {
    let calls = 0;
    const count = () => void calls++;
    const ends = [await other.subscribe(user, count), await other.subscribe(user, count)];
    await expect(other.publish(user, { kind: 'tabs' })).resolves.toBe(1);
    await eventually(() => expect(calls).toBe(2));
    await ends[0]?.();
    await ends[0]?.();
    await expect(other.publish(user, { kind: 'tabs' })).resolves.toBe(1);
    await eventually(() => expect(calls).toBe(3));
    await ends[1]?.();
    await expect(other.publish(user, { kind: 'tabs' })).resolves.toBe(0);
  });

  it('goes on when a listener throws', async () => {
    const end = await bus.subscribe(user, () => {
      throw new Error('on purpose');
    });
    const listener = await listen(bus);
    await bus.publish(user, ack(1));
    await bus.publish(user, ack(2));
    await receives(listener, [ack(1), ack(2)]);
    await Promise.all([end(), listener.end()]);
  });

  it('ends a subscription from within its listener', async () => {
    let calls = 0;
    const end = await bus.subscribe(user, () => {
      calls++;
      void end();
    });
    const listener = await listen(bus);
    await Promise.all([bus.publish(user, ack(1)), bus.publish(user, ack(2))]);
    await receives(listener, [ack(1), ack(2)]);
    expect(calls).toBe(1);
    await listener.end();
    await expect(bus.publish(user, { kind: 'tabs' })).resolves.toBe(0);
  });

  it('receives whatever is published after it was subscribed, however others come and go', async () => {
    const missed: string[] = [];
    const visit = async (visitor: number, round: number) => {
      const token = `${visitor}/${round}`;
      const replica = opened.replicas[visitor % opened.replicas.length] ?? bus;
      const { promise, resolve } = Promise.withResolvers<void>();
      const end = await replica.subscribe(user, (message) => {
        if (message.kind === 'ack' && message.id === token) resolve();
      });
      const reached = await other.publish(user, ack(token));
      if (reached === 0) missed.push(token);
      else await promise;
      await end();
    };
    const stay = async (_: unknown, visitor: number) => {
      for (let round = 0; round < 40; round++) await visit(visitor, round);
    };
    await Promise.all(Array.from({ length: 7 }, stay));
    expect(missed).toEqual([]);
    await expect(bus.publish(user, { kind: 'tabs' })).resolves.toBe(0);
  });
}
