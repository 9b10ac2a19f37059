import { eventually } from '#libs/platform/testing';
import { InProcessTabPresence } from '../presence/tab-presence.in-process.js';
import type { AccountHub } from './account-hub.js';
import { AccountHubsService } from './account-hubs.service.js';
import { CountedTabBus, RecordedTab, TestRequests } from './hub.testbed.js';

describe('AccountHubsService', () => {
  let bus: CountedTabBus;
  let hubs: AccountHubsService;
  let requests: TestRequests;

  const turn = () =>
    new Promise((resolve) => {
      setImmediate(resolve);
    });

  beforeEach(() => {
    bus = new CountedTabBus();
    requests = new TestRequests();
    hubs = new AccountHubsService(bus, new InProcessTabPresence(), requests);
    hubs.onModuleInit();
  });

  it('subscribes to an account once, until the last holder has released it', async () => {
    const held = await Promise.all([hubs.acquire('ann'), hubs.acquire('ann'), hubs.acquire('bob')]);
    expect([bus.subscriptions, hubs.size]).toEqual([2, 2]);
    expect(held[0]).toBe(held[1]);
    hubs.release(held[0]);
    await turn();
    expect(bus.subscriptions).toBe(2);
    for (const hub of held.slice(1)) hubs.release(hub);
    await turn();
    expect([bus.subscriptions, hubs.size]).toEqual([0, 0]);
  });

  it('subscribes again for a tab that comes while the last one goes', async () => {
    const first = await hubs.acquire('ann');
    hubs.release(first);
    const second = await hubs.acquire('ann');
    await turn();
    expect(second).not.toBe(first);
    expect([bus.subscriptions, hubs.size]).toEqual([1, 1]);
    hubs.release(first);
    expect(hubs.size).toBe(1);
    hubs.release(second);
  });

  it('keeps nothing when the bus is down, and works when it is back', async () => {
    bus.isDown = true;
    const failed = await Promise.allSettled([hubs.acquire('ann'), hubs.acquire('ann')]);
    expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(hubs.size).toBe(0);
    bus.isDown = false;
    hubs.release(await hubs.acquire('ann'));
    await turn();
    expect(bus.subscriptions).toBe(0);
  });

  it('forgets what was subscribed before the bus was lost', async () => {
    const before: AccountHub = await hubs.acquire('ann');
    bus.lose();
    expect(hubs.size).toBe(0);
    const after = await hubs.acquire('ann');
    expect(after).not.toBe(before);
    hubs.release(before);
    expect(hubs.size).toBe(1);
  });

  it('tells the tabs of an account of its requests alone', async () => {
    const held = [await hubs.acquire('ann'), await hubs.acquire('bob')];
    const [ann, bob] = held.map((hub) => {
      const tab = new RecordedTab(hub.userId);
      hub.join(tab);
      hub.sendRequests(tab);
      return tab;
    });
    await turn();
    const request = { id: 'a', app: 'Painter', title: 'Paint', passkey: true, expiresAt: 1e10 };
    requests.open.set('ann', [request]);
    requests.changed('ann');
    requests.changed('carol');
    const told = (tab: RecordedTab | undefined) =>
      tab?.received('requests').map((data) => data['requests']);
    await eventually(() => expect(told(ann)).toEqual([[], [request]]));
    expect([told(bob), requests.reads]).toEqual([[[]], 3]);
    for (const hub of held) hubs.release(hub);
  });
});
