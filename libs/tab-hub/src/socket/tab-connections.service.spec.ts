import { once } from 'node:events';
import { eventually } from '#libs/platform/testing';
import { TabBusDownError } from '../bus/tab-bus.js';
import type { Tab } from '../protocol/tab.js';
import { TabHubTestbed } from './tab-hub.testbed.js';

describe('TabConnectionsService', () => {
  let hub: TabHubTestbed;

  const isEmpty = () =>
    eventually(async () => {
      expect(await hub.presence.list('ann')).toEqual([]);
      expect([hub.connections.all.size, hub.hubs.size, hub.watch.size]).toEqual([0, 0, 0]);
    });

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
  });
  afterEach(async () => {
    jest.useRealTimers();
    await hub.stop();
  });

  it('welcomes a tab, lists it, and leaves nothing behind when it goes', async () => {
    const { tab, frames } = await hub.connect();
    await eventually(() => expect(frames.map(({ event }) => event)).toContain('welcome'));
    expect(await hub.presence.list('ann')).toEqual([tab.tab]);
    tab.close();
    await isEmpty();
  });

  it('tells a tab of the open requests after its welcome, which does not wait for them', async () => {
    const request = { id: 'a', app: 'Painter', title: 'Paint', passkey: false, expiresAt: 1e10 };
    hub.requests.open.set('ann', [request]);
    hub.requests.isDown = true;
    const { tab, frames } = await hub.connect();
    expect(tab.isOpen).toBe(true);
    await eventually(() => expect(frames.map(({ event }) => event)).toContain('welcome'));
    hub.requests.isDown = false;
    await eventually(() => {
      const told = frames.filter(({ event }) => event === 'requests').map(({ data }) => data);
      expect(told).toEqual([{ requests: [request] }]);
    });
    expect([frames[0]?.event, tab.isOpen]).toEqual(['welcome', true]);
  });

  it('takes no tab whose session ended while it came', async () => {
    hub.sessions.expiresAt = 0;
    const { frames, closed } = await hub.connect();
    expect(await closed).toBe(4401);
    expect(frames).toEqual([]);
    await isEmpty();
  });

  it.each([
    ['the bus', () => hub.bus.lose()],
    ['the presence', () => hub.presence.lose()],
  ])('closes all tabs with 1013 when %s is lost', async (_what, lose) => {
    const tabs = [await hub.connect(), await hub.connect()];
    lose();
    expect(await Promise.all(tabs.map(({ closed }) => closed))).toEqual([1013, 1013]);
    await isEmpty();
  });

  it('welcomes a tab with the list that it was added to, without asking for it again', async () => {
    const reads = jest.spyOn(hub.presence, 'list');
    hub.bus.publish = async () => 0;
    const [first, second] = [await hub.connect(), await hub.connect()];
    expect(reads).not.toHaveBeenCalled();
    await eventually(() => expect(second.frames[0]?.event).toBe('welcome'));
    const { tabId, tabs } = (second.frames[0]?.data ?? {}) as { tabId?: string; tabs?: Tab[] };
    expect(tabId).toBe(second.tab.id);
    expect(new Set(tabs)).toEqual(new Set([first.tab.tab, second.tab.tab]));
  });

  it('counts connections of an account, and those with a large welcome as several', async () => {
    const refusal = { status: 429, headers: { 'Retry-After': '1' } };
    const count = (userId: string) => hub.connections.count(userId);
    const allow = (userId: string, times: number) => {
      for (let n = 0; n < times; n += 1) count(userId);
      expect(() => count(userId)).toThrow(expect.objectContaining(refusal));
    };
    jest.useFakeTimers();
    allow('bob', 128);
    jest.advanceTimersByTime(2_000);
    allow('bob', 16);
    const { tab } = await hub.connect();
    count('ann');
    hub.presence.add = async () => [{ ...tab.tab, title: 'x'.repeat(10 * 16 * 1024) }];
    count('ann');
    await hub.connect();
    allow('ann', 128 - 2 - 10);
  });

  it('tells at once what a tab says of itself, then four times a second, and the last in any case', async () => {
    const { tab } = await hub.connect();
    await hub.connect();
    const updates = jest.spyOn(hub.presence, 'update');
    const told = () => hub.bus.published.length;
    const before = told();
    jest.useFakeTimers();
    const say = (title: string) => hub.gateway.hello(tab, { title, url: undefined });
    say('first');
    await jest.advanceTimersByTimeAsync(0);
    expect(await hub.presence.list('ann')).toContainEqual(tab.tab);
    for (let n = 1; n < 99; n += 1) {
      say(`${n}`);
      await jest.advanceTimersByTimeAsync(10);
    }
    expect([updates.mock.calls.length, told() - before]).toEqual([4, 4]);
    await jest.advanceTimersByTimeAsync(250);
    expect(await hub.presence.list('ann')).toContainEqual({ ...tab.tab, title: '98' });
    say('late');
    tab.close();
    await jest.advanceTimersByTimeAsync(1_000);
    expect(updates.mock.calls.length).toBe(5);
  });

  it('closes a tab whose description cannot be published', async () => {
    const { tab, closed } = await hub.connect();
    hub.bus.publish = async () => {
      throw new TabBusDownError();
    };
    hub.gateway.hello(tab, { title: 'new', url: undefined });
    expect(await closed).toBe(1013);
  });

  it('sends only tabs away that owe no answer, until the end', async () => {
    const [idle, busy] = [await hub.connect(), await hub.connect()];
    busy.tab.requests.add({ id: 'request', expiresAt: '', timeoutMs: 60_000 }, () => undefined);
    hub.connections.sendIdleAway();
    expect(await idle.closed).toBe(1001);
    expect(busy.tab.isOpen).toBe(true);
    await hub.connections.onModuleDestroy();
    expect(await busy.closed).toBe(1001);
  });

  it('closes a tab that leaves a ping unanswered', async () => {
    const beating = new TabHubTestbed();
    await beating.start();
    const silent = await beating.connect({ autoPong: false });
    const { tab, page } = await beating.connect();
    const answered = once(tab, 'pong');
    beating.connections.beat();
    await answered;
    tab.isAlive = true;
    beating.connections.beat();
    expect(await silent.closed).toBe(4408);
    expect(page.readyState).toBe(page.OPEN);
    await beating.stop();
  });
});
