import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { InProcessTabBus } from '../bus/tab-bus.in-process.js';
import { TABS_CHANGED, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { InProcessTabPresence } from '../presence/tab-presence.in-process.js';
import { AccountHubsService } from './account-hubs.service.js';
import { CountedTabBus, RecordedTab, SharedTabBus } from './hub.testbed.js';
import { NoOpenRequests } from './open-requests.js';
import { TabsService } from './tabs.service.js';

describe('TabsService and changes of tools', () => {
  let bus: CountedTabBus;
  let hubs: AccountHubsService;
  let tabs: TabsService;
  let told: number;
  let stop: () => void;

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const change = () => bus.publish('ann', TOOLS_CHANGED);
  const begin = (userId = 'ann') => tabs.onToolsChanged(userId, () => void (told += 1));

  beforeEach(async () => {
    jest.useFakeTimers();
    [bus, told] = [new CountedTabBus(), 0];
    const presence = new InProcessTabPresence();
    hubs = new AccountHubsService(bus, presence, new NoOpenRequests());
    hubs.onModuleInit();
    tabs = new TabsService(hubs, presence);
    stop = begin();
    await pass(0);
  });
  afterEach(async () => {
    stop();
    await pass(0);
    expect([hubs.size, bus.subscriptions, jest.getTimerCount()]).toEqual([0, 0, 0]);
    jest.useRealTimers();
  });

  it('tells at once that tools have changed, and nothing else', async () => {
    await bus.publish('ann', TABS_CHANGED);
    await bus.publish('bob', TOOLS_CHANGED);
    await pass(1_000);
    expect(told).toBe(0);
    await change();
    await pass(0);
    expect(told).toBe(1);
  });

  it('tells of tabs that come and go where these are followed, and of tools there too', async () => {
    let toldOfTabs = 0;
    const end = tabs.onTabsChanged('ann', () => void (toldOfTabs += 1));
    await pass(0);
    await bus.publish('ann', TABS_CHANGED);
    await pass(0);
    expect([told, toldOfTabs]).toEqual([0, 1]);
    await pass(250);
    await change();
    await pass(0);
    expect([told, toldOfTabs]).toEqual([1, 2]);
    end();
  });

  it('tells four times a second at most, and always after the last change', async () => {
    for (let n = 0; n < 100; n += 1) {
      await change();
      await pass(10);
    }
    expect(told).toBeLessThanOrEqual(5);
    const before = told;
    await change();
    await pass(250);
    expect(told).toBeGreaterThan(before);
  });

  it('tells every listener, until it is stopped', async () => {
    const stopOther = begin();
    await pass(0);
    await change();
    await pass(250);
    expect(told).toBe(2);
    stopOther();
    await change();
    await pass(250);
    expect(told).toBe(3);
  });

  it('goes on when the bus was lost, and tells that something may have been missed', async () => {
    bus.isDown = true;
    bus.lose();
    bus.subscriptions = 0;
    await pass(5_000);
    expect(told).toBe(0);
    bus.isDown = false;
    await pass(1_000);
    expect(told).toBe(1);
    await change();
    await pass(250);
    expect(told).toBe(2);
  });

  it('subscribes once when the bus is lost while it subscribes', async () => {
    const { promise: subscribing, reject } = Promise.withResolvers<never>();
    jest.spyOn(bus, 'subscribe').mockReturnValueOnce(subscribing);
    const stopOther = begin('bob');
    await pass(0);
    bus.lose();
    bus.subscriptions = 0;
    await pass(1_000);
    reject(new Error('lost'));
    await pass(2_000);
    stopOther();
    await pass(0);
    expect(bus.subscriptions).toBe(1);
  });

  it('may be stopped before it has begun, and while the bus is away', async () => {
    begin()();
    bus.isDown = true;
    const stopLate = begin('bob');
    await pass(2_500);
    stopLate();
    expect(told).toBe(0);
  });
});

/** A presence that counts how often it is read. */
class CountedPresence extends InProcessTabPresence {
  reads = 0;

  override async list(userId: string) {
    this.reads += 1;
    return super.list(userId);
  }

  override async has(userId: string, tabId: string) {
    this.reads += 1;
    return super.has(userId, tabId);
  }
}

describe('TabsService', () => {
  let presence: CountedPresence;
  let hubs: AccountHubsService;
  let tabs: TabsService;
  let tab: RecordedTab;
  let called: number;

  const LARGE = 'x'.repeat(61_440);
  const allow = async () => void (called += 1);
  const forbid = async () => {
    throw new Error('forbidden');
  };
  const send = (to: string, body: unknown = 1, beforeDelivery?: () => Promise<void>) =>
    tabs.send('ann', { app: 'Painter', to, body }, beforeDelivery);
  const call = (to: string, params: unknown = 1, beforeDelivery?: () => Promise<void>) =>
    tabs.call(
      'ann',
      { app: 'Painter', tab: to, method: 'm', params, timeoutMs: 20_000 },
      beforeDelivery,
    );
  const close = async () => {
    const hub = await hubs.acquire('ann');
    hub.leave(tab);
    await presence.remove('ann', tab.id);
  };

  beforeEach(async () => {
    const bus = new InProcessTabBus();
    presence = new CountedPresence();
    hubs = new AccountHubsService(bus, presence, new NoOpenRequests());
    tabs = new TabsService(hubs, presence);
    called = 0;
    tab = new RecordedTab('tab');
    (await hubs.acquire('ann')).join(tab);
    await presence.add('ann', tab.tab);
  });

  it.each([
    ['a message', () => send('none', 1, allow), 'UnknownTabError'],
    ['a call', () => call('none', 1, allow), 'UnknownTabError'],
    ['a call to all', () => call('*', 1, allow), 'UnknownTabError'],
    ['a large message', () => send('tab', LARGE, allow), 'OversizedMessageError'],
    ['a large call', () => call('tab', LARGE, allow), 'OversizedMessageError'],
  ])('refuses %s before it calls beforeDelivery', async (_what, work, name) => {
    await expect(work()).rejects.toMatchObject({ name });
    expect(called).toBe(0);
  });

  it('refuses unknown tabs and large content also without beforeDelivery', async () => {
    await expect(send('none')).rejects.toMatchObject({ name: 'UnknownTabError' });
    await expect(call('none')).rejects.toMatchObject({ name: 'UnknownTabError' });
    await expect(send('*', LARGE)).rejects.toMatchObject({ name: 'OversizedMessageError' });
  });

  it('calls beforeDelivery once, after one look at who is there', async () => {
    expect(await send('tab', 'hi', allow)).toBe(1);
    expect(await send('*', 'all', allow)).toBe(1);
    const answer = call('tab', 'how', allow);
    await turn();
    const hub = await hubs.acquire('ann');
    const id = String(tab.received('request')[0]?.['id']);
    await hub.calls.answer(tab, id, { ok: true, value: 'fine' });
    expect(await answer).toBe('fine');
    expect([called, presence.reads]).toEqual([3, 3]);
  });

  it('delivers nothing when beforeDelivery rejects', async () => {
    for (const work of [send('tab', 1, forbid), send('*', 1, forbid), call('tab', 1, forbid)]) {
      await expect(work).rejects.toThrow('forbidden');
    }
    await turn();
    expect(tab.frames).toEqual([]);
  });

  it('does not call beforeDelivery for a message to all when there is no receiver', async () => {
    await close();
    expect(await send('*', 1, allow)).toBe(0);
    expect(called).toBe(0);
  });

  it('hears at once of a replica that only follows what pages offer', async () => {
    const bus = new SharedTabBus();
    bus.replicas = 2;
    const [here, there] = [1, 2].map(() => {
      const replica = new AccountHubsService(bus, presence, new NoOpenRequests());
      return { hubs: replica, tabs: new TabsService(replica, presence) };
    });
    const stop = there?.tabs.onToolsChanged('ann', () => undefined);
    (await here?.hubs.acquire('ann'))?.join(tab);
    const inTime = (work?: Promise<unknown>) =>
      Promise.race([work, sleep(500, 'late', { ref: false })]);
    const message = { app: 'Painter', to: '*', body: 1 };
    expect(await inTime(here?.tabs.send('ann', message))).toBe(1);
    const question = { app: 'Painter', tab: 'gone', method: 'm', params: 1, timeoutMs: 2_000 };
    const name = 'UnknownTabError';
    await expect(inTime(here?.tabs.call('ann', question))).rejects.toMatchObject({ name });
    stop?.();
  });

  it('does not know a tab that went during beforeDelivery', async () => {
    await expect(send('tab', 1, close)).rejects.toMatchObject({ name: 'UnknownTabError' });
    await presence.add('ann', tab.tab);
    await expect(call('tab', 1, close)).rejects.toMatchObject({ name: 'UnknownTabError' });
  });
});
