import { setImmediate as turn } from 'node:timers/promises';
import type { TabBusMessage } from '../bus/tab-bus.js';
import { InProcessTabPresence } from '../presence/tab-presence.in-process.js';
import type { TabProgress } from '../protocol/tab.js';
import { AccountHub } from './account-hub.js';
import { AccountOutflows } from './account-outflow.js';
import { RecordedTab, SharedTabBus } from './hub.testbed.js';
import { NoOpenRequests } from './open-requests.js';
import type { TabRequest } from './tab-calls.js';

const USER = 'ann';

/** Tabs of this replica, and of another one, that are asked by this one. */
describe('TabCalls', () => {
  let bus: SharedTabBus;
  let published: TabBusMessage[];
  let hub: AccountHub;
  let other: AccountHub;
  let near: RecordedTab;
  let far: RecordedTab;

  const presence = new InProcessTabPresence();

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
    return opened;
  }
  const call = (tab: RecordedTab, about: Partial<TabRequest> = {}) =>
    hub.call(tab.id, {
      app: 'Painter',
      method: 'paint',
      params: [1],
      timeoutMs: 20_000,
      ...about,
    });
  const failureOf = (work: Promise<unknown>) =>
    work.then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? error.name : error),
    );
  const requestTo = async (tab: RecordedTab) => {
    await turn();
    return String(tab.received('request').at(-1)?.['id']);
  };
  const hubOf = (tab: RecordedTab) => (tab === near ? hub : other);
  const tell = (tab: RecordedTab, id: string, progress: TabProgress) =>
    hubOf(tab).calls.reportProgress(tab, id, progress);
  const progressPublished = () => published.filter(({ kind }) => kind === 'progress').length;

  beforeEach(async () => {
    [bus, published] = [new SharedTabBus(), []];
    [near, far] = [new RecordedTab('near'), new RecordedTab('far')];
    [hub, other] = [await openHub(), await openHub()];
    hub.join(near);
    other.join(far);
    await bus.subscribe(USER, (message) => published.push(message));
  });
  afterEach(() => {
    jest.useRealTimers();
    for (const tab of [near, far]) hubOf(tab).leave(tab);
    hub.close();
    other.close();
  });

  describe.each([
    ['here', () => near],
    ['at another replica', () => far],
  ])('of a tab %s', (_, tabThere) => {
    it('that are cancelled fail at once, and the tab receives one cancel', async () => {
      const tab = tabThere();
      const [cancelled, kept] = [new AbortController(), new AbortController()];
      const failed = failureOf(call(tab, { signal: cancelled.signal }));
      const id = await requestTo(tab);
      const answer = call(tab, { signal: kept.signal });
      const second = await requestTo(tab);
      cancelled.abort();
      cancelled.abort();
      expect(await failed).toBe('CallCancelledError');
      await turn();
      expect(tab.received('cancel')).toEqual([{ id }]);
      expect(await hubOf(tab).calls.answer(tab, id, { ok: true, value: 'late' })).toBe(false);
      expect(await tell(tab, id, { progress: 1 })).toBe(false);
      await hubOf(tab).calls.answer(tab, second, { ok: true, value: 'kept' });
      expect(await answer).toBe('kept');
      kept.abort();
      await turn();
      expect(tab.received('cancel')).toHaveLength(1);
    });

    it('that are cancelled before they begin are not put to the tab', async () => {
      const tab = tabThere();
      expect(await failureOf(call(tab, { signal: AbortSignal.abort() }))).toBe(
        'CallCancelledError',
      );
      await turn();
      expect([tab.frames, published, hub.calls.size]).toEqual([[], [], 0]);
    });

    it('whose time is up are taken back', async () => {
      const tab = tabThere();
      expect(await failureOf(call(tab, { timeoutMs: 1 }))).toBe('CallTimeoutError');
      await turn();
      expect(tab.received('cancel')).toEqual([{ id: await requestTo(tab) }]);
    });

    it('that were checked by other tools than its page offers fail once these are published', async () => {
      const tab = tabThere();
      const offer = Promise.withResolvers<void>();
      tab.publishOffer = () => offer.promise;
      const failed = failureOf(call(tab, { checkedBy: 'other' }));
      const others = [call(tab), call(tab, { checkedBy: tab.offerDigest })];
      await turn();
      expect([tab.received('request').length, hub.calls.size]).toEqual([2, 3]);
      offer.resolve();
      expect(await failed).toBe('OutdatedCallError');
      for (const { id } of tab.received('request')) {
        await hubOf(tab).calls.answer(tab, String(id), { ok: true, value: 1 });
      }
      expect(await Promise.all(others)).toEqual([1, 1]);
      expect([tab.received('cancel'), hub.calls.size]).toEqual([[], 0]);
    });

    it('hear of progress while they wait, as long as it grows', async () => {
      const tab = tabThere();
      const heard: TabProgress[] = [];
      const answer = call(tab, { onProgress: (progress) => heard.push(progress) });
      const id = await requestTo(tab);
      const said = [{ progress: 0, total: 3, message: 'a' }, { progress: 0.5 }, { progress: 3 }];
      for (const progress of said) {
        for (const told of [progress, progress, { progress: -1 }]) {
          expect(await tell(tab, id, told)).toBe(true);
        }
      }
      await hubOf(tab).calls.answer(tab, id, { ok: true, value: 1 });
      await answer;
      expect(heard).toEqual(said);
      expect(await tell(tab, id, { progress: 9 })).toBe(false);
    });

    it('hear of no progress from a tab that was not asked', async () => {
      const [tab, thief] = [tabThere(), new RecordedTab('thief')];
      const heard: TabProgress[] = [];
      const failed = failureOf(call(tab, { onProgress: (progress) => heard.push(progress) }));
      const id = await requestTo(tab);
      hubOf(tab).join(thief);
      expect(await tell(thief, id, { progress: 1 })).toBe(false);
      hubOf(tab).leave(tab);
      await failed;
      expect(heard).toEqual([]);
    });

    it('fail with what their listener throws', async () => {
      const tab = tabThere();
      const onProgress = () => {
        throw new TypeError('on purpose');
      };
      const failed = failureOf(call(tab, { onProgress }));
      expect(await tell(tab, await requestTo(tab), { progress: 1 })).toBe(true);
      expect(await failed).toBe('TypeError');
    });
  });

  it('publish progress only where the caller is at another replica and asked for it', async () => {
    const onProgress = () => undefined;
    const answers = [call(near, { onProgress }), call(far), call(far, { onProgress })];
    await turn();
    const ids = [...near.received('request'), ...far.received('request')].map(({ id }) => id);
    for (const [n, id] of ids.entries()) {
      expect(await tell(n === 0 ? near : far, String(id), { progress: 1 })).toBe(true);
    }
    expect(progressPublished()).toBe(1);
    for (const [n, id] of ids.entries()) {
      await hubOf(n === 0 ? near : far).calls.answer(n === 0 ? near : far, String(id), {
        ok: true,
        value: n,
      });
    }
    expect(await Promise.all(answers)).toEqual([0, 1, 2]);
  });

  it('count by their first outcome, and by no other', async () => {
    const answer = call(far);
    const id = await requestTo(far);
    hub.calls.onSettled('other', { ok: true, value: 0 });
    hub.calls.onSettled(id, { ok: true, value: [1] });
    hub.calls.onSettled(id, { ok: false, error: 'late' });
    expect(await answer).toEqual([1]);
  });

  it.each([
    ['CallRefusedError', { ok: false, error: 'no' } as const],
    ['TabGoneError', null],
  ])('fail with %s', async (name, outcome) => {
    const failed = failureOf(call(far));
    hub.calls.onSettled(await requestTo(far), outcome);
    expect(await failed).toBe(name);
  });

  it('fail when their tab is gone, and no others do', async () => {
    const [gone, kept] = [failureOf(call(near)), call(far)];
    const id = await requestTo(far);
    hub.calls.keepOnly(new Set(['far', 'more']));
    expect(await gone).toBe('TabGoneError');
    await other.calls.answer(far, id, { ok: true, value: 1 });
    expect(await kept).toBe(1);
  });

  it('are 64 at most that wait for answers', async () => {
    const waiting = Array.from({ length: 64 }, () => failureOf(call(far)));
    await expect(call(far)).rejects.toThrow('64 calls');
    expect(hub.calls.size).toBe(64);
    hub.calls.keepOnly(new Set());
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['TabGoneError']));
    expect(hub.calls.size).toBe(0);
  });

  it.each([
    ['that says how long it waits', { timeoutMs: 1_000 }, 1_500],
    ['of an earlier version', {}, 61_000],
  ])('are taken back when a caller %s goes silent', async (_, fields, ms) => {
    jest.useFakeTimers();
    const expiresAt = new Date(Date.now() + 1_000).toISOString();
    const request = { app: 'Painter', method: 'paint', params: [1], expiresAt, ...fields };
    other.onMessage({ kind: 'request', to: 'far', id: 'r', ...request });
    jest.advanceTimersByTime(ms - 1);
    expect([far.received('cancel'), far.requests.size]).toEqual([[], 1]);
    jest.advanceTimersByTime(1);
    expect([far.received('cancel'), far.requests.size]).toEqual([[{ id: 'r' }], 0]);
    expect(jest.getTimerCount()).toBe(0);
  });
});
