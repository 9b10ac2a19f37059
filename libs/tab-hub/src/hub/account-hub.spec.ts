import { setImmediate as turn } from 'node:timers/promises';
import { collectGarbage } from '#libs/platform/testing';
import type { TabBusMessage } from '../bus/tab-bus.js';
import { InProcessTabPresence } from '../presence/tab-presence.in-process.js';
import type { Tab } from '../protocol/tab.js';
import { AccountHub } from './account-hub.js';
import { AccountOutflows } from './account-outflow.js';
import { RecordedTab, SharedTabBus, TestRequests } from './hub.testbed.js';
import { NoOpenRequests } from './open-requests.js';

const USER = 'ann';

describe('AccountHub', () => {
  let bus: SharedTabBus;
  let presence: InProcessTabPresence;
  let published: TabBusMessage[];
  let hub: AccountHub;
  let other: AccountHub;
  let open: AccountHub[];
  let one: RecordedTab;
  let two: RecordedTab;
  let far: RecordedTab;

  async function openHub() {
    const opened = new AccountHub(
      USER,
      bus,
      presence,
      new AccountOutflows().of(USER),
      new NoOpenRequests(),
    );
    await bus.subscribe(USER, (message) => opened.onMessage(message));
    bus.replicas += 1;
    open.push(opened);
    return opened;
  }
  async function join(at: AccountHub, tab: RecordedTab) {
    at.join(tab);
    await presence.add(USER, tab.tab);
    return tab;
  }
  const call = (to: string, timeoutMs = 20_000) =>
    hub.call(to, { app: 'Painter', method: 'paint', params: [1], timeoutMs });
  const requestTo = async (tab: RecordedTab) => {
    await turn();
    return String(tab.received('request').at(-1)?.['id']);
  };
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.name : error),
    );

  beforeEach(async () => {
    [bus, presence, published, open] = [new SharedTabBus(), new InProcessTabPresence(), [], []];
    hub = await openHub();
    other = await openHub();
    one = await join(hub, new RecordedTab('one'));
    two = await join(hub, new RecordedTab('two', 'session of two'));
    far = await join(other, new RecordedTab('far'));
    await bus.subscribe(USER, (message) => published.push(message));
  });
  afterEach(() => {
    for (const opened of open) opened.close();
  });

  describe('what its tabs are sent', () => {
    /** Tabs beside `one`. */
    const OTHERS = 21;
    /** A message to so many takes one less of the 2000. */
    const AT_ONCE = Math.floor(2000 / (OTHERS - 1));
    let others: RecordedTab[];

    beforeEach(async () => {
      jest.useFakeTimers();
      hub.leave(one);
      hub.leave(two);
      hub = await openHub();
      await join(hub, one);
      others = [];
      while (others.length < OTHERS) {
        others.push(await join(hub, new RecordedTab(`other ${others.length}`)));
      }
    });
    afterEach(() => jest.useRealTimers());

    const say = (to = '*', body: unknown = 1) => hub.send(to, { from: one.id, body });
    const heard = () => Math.min(...others.map((tab) => tab.received('message').length));

    it('counts for each tab that gets it, and is refused beyond 2000 at once and 1000 a second', async () => {
      for (let n = 0; n < AT_ONCE; n += 1) await say();
      expect(await failureOf(say())).toBe('TooManyDeliveriesError');
      await say(others[0]?.id);
      await turn();
      expect(heard()).toBe(AT_ONCE);
      jest.advanceTimersByTime(1000);
      for (let n = 0; n < AT_ONCE / 2; n += 1) await say();
      expect(await failureOf(say())).toBe('TooManyDeliveriesError');
    });

    it('is refused beyond 8 MiB', async () => {
      const body = 'x'.repeat(60_000);
      const atOnce = Math.floor((8 * 1024 * 1024) / (OTHERS * 60_100));
      for (let n = 0; n < atOnce; n += 1) await say('*', body);
      expect(await failureOf(say('*', body))).toBe('TooManyDeliveriesError');
      await say('*', 1);
    });

    it('counts for tabs of other replicas as well, for the sender and for them', async () => {
      const lone = await openHub();
      const sender = await join(lone, new RecordedTab('sender'));
      await bus.publish(USER, { kind: 'tabs' });
      await turn();
      const saying = () => lone.send('*', { from: sender.id, body: 1 });
      let sent = 0;
      while (sent < 3000 && (await failureOf(saying())) === undefined) sent += 1;
      await turn();
      // `one`, `two` and `far` are there too.
      expect(sent).toBe(Math.floor(2000 / (OTHERS + 2)));
      expect(heard()).toBe(sent);
    });

    it('is dropped beyond its own room if it comes from another replica, and acknowledged as not delivered', async () => {
      const message = { from: 'a tab elsewhere', body: 1 };
      const about = { kind: 'message', to: '*', except: message.from, message } as const;
      for (let n = 0; n < 3000; n += 1) await bus.publish(USER, { ...about, ackId: `${n}` });
      await turn();
      expect(heard()).toBe(Math.floor(2000 / OTHERS));
      const acks = published.filter(({ kind }) => kind === 'ack');
      expect(acks).toContainEqual({ kind: 'ack', id: '2999', delivered: 0 });
      expect(await failureOf(say())).toBe('TooManyDeliveriesError');
    });

    it('takes time of this replica by its length, to read and to write, if it comes from another', async () => {
      const isOverTimeAfter = async (messages: number, body: unknown) => {
        jest.advanceTimersByTime(2000);
        const message = { from: 'a tab elsewhere', body };
        const about = { kind: 'message', to: one.id, except: message.from, message } as const;
        for (let n = 0; n < messages; n += 1) await bus.publish(USER, about);
        return hub.outflow.countWork(0);
      };
      expect(await isOverTimeAfter(300, 1)).toBe(false);
      expect(await isOverTimeAfter(500, 1)).toBe(true);
      expect(await isOverTimeAfter(70, 'x'.repeat(2000))).toBe(false);
      expect(await isOverTimeAfter(100, 'x'.repeat(2000))).toBe(true);
    });

    it('passes if an app has paid for it, but leaves less for the tabs', async () => {
      const asked = AT_ONCE + 10;
      for (let n = 0; n < asked; n += 1) await hub.send('*', { from: null, body: 1 });
      await turn();
      expect(heard()).toBe(asked);
      expect(await failureOf(say())).toBe('TooManyDeliveriesError');
    });

    it('takes time of this replica for look-ups of tabs that are not listed, and no room of messages', async () => {
      const lookUp = () => failureOf(hub.assertOpen('gone'));
      for (let n = 0; n < 80; n += 1) expect(await lookUp()).toBe('UnknownTabError');
      expect(hub.outflow.countWork(0)).toBe(false);
      for (let n = 0; n < 10; n += 1) await lookUp();
      expect(hub.outflow.countWork(0)).toBe(true);
      for (let n = 0; n < AT_ONCE; n += 1) await say();
    });

    it('are lists no more often than the room allows, and the last one always', async () => {
      const url = '\u0001'.repeat(2048);
      for (const { tab } of others) await presence.update(USER, { ...tab, url });
      const change = async (title: string) => {
        await presence.update(USER, { ...one.tab, title });
        await bus.publish(USER, { kind: 'tabs' });
      };
      const lists = () => one.received('tabs').length;
      for (let n = 0; n < 100; n += 1) {
        await change(`${n}`);
        await jest.advanceTimersByTimeAsync(100);
      }
      const bytes = Buffer.byteLength(JSON.stringify(one.received('tabs').at(-1))) * (OTHERS + 1);
      expect((lists() - 1) * bytes).toBeLessThan(10 * 4 * 1024 * 1024);
      expect(lists()).toBeGreaterThan(5);
      await jest.advanceTimersByTimeAsync(3000);
      expect(JSON.stringify(one.received('tabs').at(-1))).toContain('"title":"99"');
    });
  });

  describe('its tabs', () => {
    it('get nothing more once they have left', async () => {
      hub.leave(two);
      await hub.send('*', { from: null, body: 1 });
      await turn();
      expect([one.frames.length, two.frames.length]).toEqual([1, 0]);
    });
  });

  describe('a message', () => {
    it('goes to a tab of this replica without the bus, in order with those that do not', async () => {
      await hub.send('*', { from: 'one', body: 1 });
      await hub.send('two', { from: 'one', body: 2 });
      const delivery = await hub.sendAcknowledged('two', { from: 'one', body: 3 });
      expect(two.received('message').map(({ body }) => body)).toEqual([1, 2, 3]);
      expect(delivery).toEqual({ delivered: 1, isComplete: true });
      const own = await hub.sendAcknowledged('one', { from: 'one', body: 4 });
      expect(own).toEqual({ delivered: 0, isComplete: true });
      await turn();
      expect(published.map(({ kind }) => kind)).toEqual(['message']);
    });

    it('is acknowledged by every replica, with the tabs it was written to', async () => {
      const sent = await hub.sendAcknowledged('*', { from: 'one', body: 1 });
      expect(sent).toEqual({ delivered: 2, isComplete: true });
      two.isOpen = false;
      const late = await hub.sendAcknowledged('two', { from: null, app: 'Painter', body: 2 });
      expect(late).toEqual({ delivered: 0, isComplete: true });
    });

    it('needs no ack when the sender asks for no count', async () => {
      await hub.send('*', { from: null, body: 1 });
      await turn();
      expect(published.map(({ kind }) => kind)).toEqual(['message']);
    });
  });

  describe('a call', () => {
    it('fails when the tab is not in the list any more', async () => {
      const gone = failureOf(call('far'));
      await requestTo(far);
      await presence.remove(USER, 'far');
      await bus.publish(USER, { kind: 'tabs' });
      expect(await gone).toBe('TabGoneError');
    });

    it('fails when the tab is unknown or its connection is closed', async () => {
      expect(await failureOf(call('none'))).toBe('UnknownTabError');
      far.isOpen = false;
      expect(await failureOf(call('far'))).toBe('UnknownTabError');
    });

    it('fails with the error of a bus that is down', async () => {
      bus.publish = () => Promise.reject(new Error('down'));
      await expect(call('far')).rejects.toThrow('down');
    });

    it('to a tab of this replica needs no bus, and fails when the tab leaves or takes nothing', async () => {
      bus.publish = () => Promise.reject(new Error('down'));
      const gone = failureOf(call('one'));
      expect(await requestTo(one)).toMatch(/^[\w-]{22}$/);
      hub.close();
      expect(await gone).toBe('TabGoneError');
      const again = await openHub();
      again.join(two);
      two.isOpen = false;
      const asked = { app: 'Painter', method: 'paint', params: [1], timeoutMs: 20_000 };
      expect(await failureOf(again.call('two', asked))).toBe('UnknownTabError');
    });
  });

  describe('once it is closed', () => {
    it('settles all pending calls and deliveries', async () => {
      bus.replicas += 1;
      const delivery = hub.sendAcknowledged('far', { from: null, body: 1 });
      const gone = failureOf(call('far'));
      await requestTo(far);
      let counted: unknown;
      void delivery.then((count) => (counted = count));
      hub.close();
      expect(await gone).toBe('TabGoneError');
      await turn();
      expect(counted).toEqual({ delivered: 1, isComplete: false });
      expect(await failureOf(call('far'))).toBe('TabBusDownError');
    });

    it('acts on no message', async () => {
      hub.close();
      published = [];
      hub.onMessage({
        kind: 'message',
        to: '*',
        except: null,
        message: { from: null, body: 1 },
        ackId: 'a',
      });
      hub.onMessage({ kind: 'session-ended', session: 'session' });
      hub.onMessage({ kind: 'tabs' });
      await turn();
      expect([...one.frames, ...two.frames, ...one.ends]).toEqual([]);
      expect(published).toEqual([]);
    });
  });
});

describe('the list that an AccountHub sends', () => {
  let stored: Tab[];
  let reads: number;
  let isDown: boolean;
  let tab: RecordedTab;
  let hub: AccountHub;

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const change = () => hub.onMessage({ kind: 'tabs' });
  const listOf = (...ids: string[]) => ids.map((id) => new RecordedTab(id).tab);
  const told = () => tab.received('tabs').map(({ tabs }) => tabs);

  class StoredList extends InProcessTabPresence {
    override async list() {
      reads += 1;
      if (isDown) throw new Error('down');
      return stored;
    }
  }

  beforeEach(() => {
    jest.useFakeTimers();
    [stored, reads, isDown] = [[], 0, false];
    tab = new RecordedTab('tab');
    hub = new AccountHub(
      USER,
      new SharedTabBus(),
      new StoredList(),
      new AccountOutflows().of(USER),
      new NoOpenRequests(),
    );
    hub.join(tab);
  });
  afterEach(() => {
    hub.close();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('is sent at once, and decides who is there', async () => {
    stored = listOf('a');
    change();
    await pass(0);
    expect(told()).toEqual([stored]);
    await expect(hub.assertOpen('a')).resolves.toBeUndefined();
    await expect(hub.assertOpen('b')).rejects.toThrow('no open tab');
  });

  it('is read four times a second at most, and always after the last change', async () => {
    for (let n = 1; n <= 100; n += 1) {
      stored = listOf(String(n));
      change();
      await pass(10);
    }
    await pass(1000);
    expect(reads).toBeLessThanOrEqual(6);
    expect(told().at(-1)).toEqual(listOf('100'));
    const before = reads;
    await pass(10_000);
    expect(reads).toBe(before);
  });

  it('is read again when it cannot be read', async () => {
    isDown = true;
    change();
    await pass(10_000);
    expect(reads).toBeLessThanOrEqual(11);
    isDown = false;
    stored = listOf('a');
    await pass(1000);
    expect(told()).toEqual([stored]);
  });

  it('is not sent once the hub is closed', async () => {
    change();
    hub.close();
    change();
    await pass(1000);
    expect([reads, told()]).toEqual([1, []]);
  });
});

describe('the requests that an AccountHub tells of', () => {
  let requests: TestRequests;
  let tab: RecordedTab;
  let hub: AccountHub;

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const seconds = () => Math.floor(Date.now() / 1000);
  const request = (id: string, expiresAt = seconds() + 600) => ({
    id,
    app: 'Painter',
    title: 'Paint the wall',
    passkey: false,
    expiresAt,
  });
  const have = (...open: ReturnType<typeof request>[]) => requests.open.set(USER, open);
  const toldTo = (one: RecordedTab) => one.received('requests').map((data) => data['requests']);
  const arrive = (id: string) => {
    const arrived = new RecordedTab(id);
    hub.join(arrived);
    hub.sendRequests(arrived);
    return arrived;
  };

  beforeEach(() => {
    jest.useFakeTimers();
    requests = new TestRequests();
    const outflow = new AccountOutflows().of(USER);
    hub = new AccountHub(USER, new SharedTabBus(), new InProcessTabPresence(), outflow, requests);
    tab = arrive('tab');
  });
  afterEach(() => {
    hub.close();
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
  });

  it('are told to each tab that comes, none as well, and at each change to all of them', async () => {
    await pass(0);
    expect(toldTo(tab)).toEqual([[]]);
    const open = have(request('a')).get(USER);
    const other = arrive('other');
    await pass(1000);
    expect([toldTo(tab), toldTo(other)]).toEqual([[[], open], [open]]);
    have();
    hub.onRequestsChanged();
    await pass(1000);
    expect([toldTo(tab), toldTo(other)]).toEqual([
      [[], open, []],
      [open, []],
    ]);
  });

  it('are told when a connection was changed elsewhere', async () => {
    await pass(1000);
    const open = have(request('a')).get(USER);
    const at = seconds();
    hub.onMessage({ kind: 'account', type: 'request-approved', at });
    await pass(1000);
    expect(toldTo(tab)).toEqual([[]]);
    hub.onMessage({ kind: 'account', type: 'connection-changed', at });
    await pass(1000);
    expect(toldTo(tab)).toEqual([[], open]);
  });

  it('are not told again to a tab that knows them, nor to one that is not welcome yet', async () => {
    have(request('a'));
    const coming = new RecordedTab('coming');
    hub.join(coming);
    for (let n = 0; n < 5; n += 1) {
      hub.onRequestsChanged();
      await pass(1000);
    }
    expect([toldTo(tab).length, toldTo(coming).length]).toEqual([2, 0]);
    hub.leave(tab);
    have();
    hub.onRequestsChanged();
    await pass(1000);
    expect(toldTo(tab)).toHaveLength(2);
  });

  it('are read four times a second at most for all tabs, and always after the last change', async () => {
    const tabs = [tab, ...Array.from({ length: 31 }, (_, n) => arrive(`tab ${n}`))];
    for (let n = 1; n <= 100; n += 1) {
      have(request(String(n)));
      hub.onRequestsChanged();
      await pass(10);
    }
    await pass(1000);
    expect(requests.reads).toBeLessThanOrEqual(6);
    const last = requests.open.get(USER);
    expect(tabs.map((one) => toldTo(one).at(-1))).toEqual(tabs.map(() => last));
  });

  it('follow later when they cannot be read, and the tabs stay', async () => {
    await pass(1000);
    requests.isDown = true;
    have(request('a'));
    hub.onRequestsChanged();
    await pass(10_000);
    expect(requests.reads).toBeLessThanOrEqual(12);
    expect([toldTo(tab), tab.ends]).toEqual([[[]], []]);
    requests.isDown = false;
    await pass(1000);
    expect(toldTo(tab).at(-1)).toEqual(requests.open.get(USER));
  });

  it('are read again when one has expired, and no sooner', async () => {
    have(request('later', seconds() + 600), request('soon', seconds() + 60));
    hub.onRequestsChanged();
    await pass(59_000);
    const before = requests.reads;
    have(request('later', seconds() + 541));
    await pass(3000);
    expect(requests.reads).toBe(before + 1);
    expect(toldTo(tab).at(-1)).toMatchObject([{ id: 'later' }]);
    have(request('endless', seconds() + 10 ** 10));
    hub.onRequestsChanged();
    await pass(60_000);
    expect(requests.reads).toBe(before + 2);
  });

  it('have what a tab is to see, and nothing else that their store says', async () => {
    const shown = request('a');
    requests.open.set(USER, [Object.assign({ arguments: 'secret' }, shown)]);
    hub.onRequestsChanged();
    await pass(1000);
    expect(toldTo(tab).at(-1)).toStrictEqual([shown]);
  });

  it('are not read without tabs, nor told once the hub is closed', async () => {
    await pass(1000);
    hub.leave(tab);
    hub.onRequestsChanged();
    await pass(1000);
    expect(requests.reads).toBe(1);
    hub.sendRequests(tab);
    hub.close();
    hub.onRequestsChanged();
    await pass(1000);
    expect([requests.reads, toldTo(tab).length]).toEqual([2, 1]);
  });

  it('keep no frame for the tabs that were told: it would keep the pool along with it', async () => {
    const told: WeakRef<Buffer>[] = [];
    const other = new RecordedTab('other');
    other.writeLatest = (_kind, frame) => void told.push(new WeakRef(frame));
    hub.join(other);
    hub.sendRequests(other);
    await pass(1000);
    expect(told).toHaveLength(1);
    await collectGarbage();
    expect(told.map((one) => one.deref())).toEqual([undefined]);
  });
});
