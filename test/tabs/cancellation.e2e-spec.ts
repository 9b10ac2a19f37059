import { type AppCall, TabsService } from '#libs/tab-hub';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const replicated = globalThis.STORAGE !== 'embedded';
const CANCELLED_WITHIN_MS = 1_000;

interface Request {
  readonly id: string;
}

/** The code of the service calls on one process, the tab is connected to the other if there are two. */
describe(`calls that are cancelled or tell their progress (${replicated ? 'two replicas' : 'one process'})`, () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let userId: string;
  let tab: TabClient;
  let other: TabClient;
  let tabs: TabsService;

  const call = (about: Partial<AppCall> = {}) =>
    tabs.call(userId, {
      app: 'Painter',
      tab: tab.id,
      method: 'paint',
      params: null,
      timeoutMs: 20_000,
      ...about,
    });
  const refusalOf = (from: TabClient, event: string, data: object) =>
    from.ask<{ code: string; id?: string }>(event, data, 'error');

  beforeAll(async () => {
    here = await startGatehouse();
    there = replicated ? await startGatehouse({}, here) : here;
    tabs = there.app.get(TabsService, { strict: false });
  });
  beforeEach(async () => {
    const ann = new Browser(here);
    await ann.signUp();
    userId = (await ann.me()).user?.id ?? '';
    tab = await TabClient.open(here, ann);
    other = await TabClient.open(here, ann);
  });
  afterEach(() => Promise.all([tab.close(), other.close()]));
  afterAll(async () => {
    if (replicated) await there.stop();
    await here.stop();
  });

  it('the tab hears of a call that is cancelled within a second, and can no longer answer (contract: Tab hub)', async () => {
    const cancelled = new AbortController();
    const failed = expect(call({ signal: cancelled.signal })).rejects.toMatchObject({
      name: 'CallCancelledError',
    });
    const { id } = await tab.next<Request>('request');
    const cancelledAt = performance.now();
    cancelled.abort();
    await failed;
    expect(await tab.next('cancel')).toEqual({ id });
    expect(performance.now() - cancelledAt).toBeLessThan(CANCELLED_WITHIN_MS);
    const late = await refusalOf(tab, 'result', { id, ok: true, value: 1 });
    expect(late).toMatchObject({ code: 'bad_message', id });
    const progress = await refusalOf(tab, 'progress', { id, progress: 1 });
    expect(progress).toMatchObject({ code: 'bad_message', id });
    await other.settle();
    expect(other.received('cancel')).toEqual([]);
  });

  it('the tab hears that the time of a call is up (contract: Tab hub)', async () => {
    await expect(call({ timeoutMs: 50 })).rejects.toMatchObject({ name: 'CallTimeoutError' });
    const { id } = await tab.next<Request>('request');
    expect(await tab.next('cancel')).toEqual({ id });
  });

  it('many calls are cancelled at once, and the others go on', async () => {
    const signals = Array.from({ length: 32 }, () => new AbortController());
    const kept = Array.from({ length: 16 }, (_, n) => call({ params: n }));
    const failed = signals.map(({ signal }) => call({ signal }).catch(({ name }) => String(name)));
    await tab.until(() => tab.received('request').length === 48, '48 requests');
    for (const signal of signals) signal.abort();
    expect(new Set(await Promise.all(failed))).toEqual(new Set(['CallCancelledError']));
    await tab.until(() => tab.received('cancel').length === 32, '32 cancels');
    const gone = new Set(tab.received('cancel').map(({ data }) => data['id']));
    for (const { data } of tab.received('request')) {
      if (!gone.has(data['id']))
        tab.say('result', { id: data['id'], ok: true, value: data['params'] });
    }
    expect(await Promise.all(kept)).toEqual(kept.map((_, n) => n));
  });

  it('the caller hears of progress that grows, from the tab that was asked only (contract: Tab hub)', async () => {
    const heard: unknown[] = [];
    const answer = call({ onProgress: (progress) => heard.push(progress) });
    const { id } = await tab.next<Request>('request');
    tab.say('progress', { id, progress: 1, total: 3, message: 'one' });
    tab.say('progress', { id, progress: 1 });
    tab.say('progress', { id, progress: 0 });
    tab.say('progress', { id, progress: 2 });
    await eventually(() => expect(heard).toHaveLength(2));
    const thief = await refusalOf(other, 'progress', { id, progress: 3 });
    expect(thief.code).toBe('bad_message');
    tab.say('result', { id, ok: true, value: 'done' });
    expect(await answer).toBe('done');
    expect(heard).toEqual([{ progress: 1, total: 3, message: 'one' }, { progress: 2 }]);
    await tab.settle();
    expect(tab.received('error')).toEqual([]);
  });

  it('progress nobody asked for is dropped', async () => {
    const answer = call();
    const { id } = await tab.next<Request>('request');
    tab.say('progress', { id, progress: 1 });
    tab.say('result', { id, ok: true, value: 'done' });
    expect(await answer).toBe('done');
    await tab.settle();
    expect(tab.received('error')).toEqual([]);
  });
});
