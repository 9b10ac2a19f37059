import { TabsService } from '#libs/tab-hub';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const replicated = globalThis.STORAGE !== 'embedded';

interface Request {
  readonly id: string;
  readonly method: string;
}

/** The code of the service calls on one process, the tab is connected to the other if there are two. */
describe(`calls and messages to tabs (${replicated ? 'two replicas' : 'one process'})`, () => {
  let here: Gatehouse;
  let there: Gatehouse;
  let ann: Browser;
  let userId: string;
  let tab: TabClient;
  let tabs: TabsService;

  const call = (fields: object = {}) =>
    tabs.call(userId, {
      app: 'Painter',
      tab: tab.id,
      method: 'paint',
      params: { colour: 'red' },
      timeoutMs: 20_000,
      ...fields,
    });
  const refused = (calling: Promise<unknown>, name: string, message = expect.any(String)) =>
    expect(calling).rejects.toMatchObject({ name, message });

  beforeAll(async () => {
    here = await startGatehouse();
    there = replicated ? await startGatehouse({}, here) : here;
    tabs = there.app.get(TabsService, { strict: false });
  });
  beforeEach(async () => {
    ann = new Browser(here);
    await ann.signUp();
    userId = (await ann.me()).user?.id ?? '';
    tab = await TabClient.open(here, ann);
  });
  afterEach(() => tab.close());
  afterAll(async () => {
    if (replicated) await there.stop();
    await here.stop();
  });

  it('lists the tabs', async () => {
    expect(await tabs.list(userId)).toEqual(tab.tabs);
    expect(await tabs.list('nobody')).toEqual([]);
  });

  it('sends to one tab and to all, and tells to how many', async () => {
    const other = await TabClient.open(here, ann);
    const message = { app: 'Painter', body: { a: 1 } };
    expect(await tabs.send(userId, { ...message, to: tab.id })).toBe(1);
    expect(await tabs.send(userId, { ...message, to: '*' })).toBe(2);
    expect(await tab.next('message')).toEqual({ from: null, ...message });
    await other.next('message');
    await other.settle();
    expect(other.received('message')).toHaveLength(1);
    await refused(tabs.send(userId, { ...message, to: 'x' }), 'UnknownTabError');
    expect(await tabs.send('nobody', { ...message, to: '*' })).toBe(0);
    await other.close();
  });

  it('asks a tab and returns its answer', async () => {
    const answer = call();
    const request = await tab.next<Request>('request');
    expect(request).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      app: 'Painter',
      method: 'paint',
      params: { colour: 'red' },
      expiresAt: expect.stringMatching(/Z$/),
    });
    tab.say('result', { id: request.id, ok: true, value: { was: ['blue', null] } });
    expect(await answer).toEqual({ was: ['blue', null] });
    const again = await tab.ask('result', { id: request.id, ok: true, value: 1 }, 'error');
    expect(again['code']).toBe('bad_message');
  });

  it('an answer without a value is null', async () => {
    const answer = call({ params: undefined });
    const { id, ...request } = await tab.next<Request>('request');
    expect(request).toMatchObject({ params: null });
    tab.say('result', { id, ok: true });
    expect(await answer).toBeNull();
  });

  it('passes on why a tab refuses, shortened', async () => {
    const answer = call();
    const check = refused(answer, 'CallRefusedError', 'no'.repeat(500));
    const { id } = await tab.next<Request>('request');
    tab.say('result', { id, ok: false, error: 'no'.repeat(5000) });
    await check;
  });

  it('takes an answer only from the tab that was asked', async () => {
    const other = await TabClient.open(here, ann);
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const foreign = await TabClient.open(here, bob);
    const answer = call();
    const { id } = await tab.next<Request>('request');
    for (const thief of [other, foreign]) {
      const error = await thief.ask('result', { id, ok: true, value: 'stolen' }, 'error');
      expect(error).toEqual({ code: 'bad_message', message: expect.any(String), id });
    }
    tab.say('result', { id, ok: true, value: 'own' });
    expect(await answer).toBe('own');
    await Promise.all([other.close(), foreign.close()]);
  });

  it('gives up in time, and then takes no answer', async () => {
    await refused(
      call({ timeoutMs: 50 }),
      'CallTimeoutError',
      'the tab did not answer within 50 ms',
    );
    const { id } = await tab.next<Request>('request');
    await tabs.send(userId, { app: 'Painter', to: tab.id, body: 'after the call' });
    await tab.next('message');
    const late = await tab.ask('result', { id, ok: true, value: 1 }, 'error');
    expect(late['code']).toBe('bad_message');
  });

  it('a tab that leaves fails all its calls at once', async () => {
    const calls = [call(), call(), call()].map((calling) => refused(calling, 'TabGoneError'));
    await tab.until(() => tab.received('request').length === 3, '3 requests');
    tab.socket.terminate();
    await Promise.all(calls);
  });

  it('knows no tab that is not there, or of another account', async () => {
    await refused(call({ tab: 'A'.repeat(22) }), 'UnknownTabError');
    await refused(call({ tab: '__proto__' }), 'UnknownTabError');
    await refused(call({ tab: '*' }), 'UnknownTabError');
    const foreign = tabs.call('somebody', {
      app: 'a',
      tab: tab.id,
      method: 'm',
      params: 0,
      timeoutMs: 9,
    });
    await refused(foreign, 'UnknownTabError');
  });

  it('waits for 64 answers of an account, not for more', async () => {
    const calls = Array.from({ length: 64 }, () => call());
    await tab.until(() => tab.received('request').length === 64, '64 requests');
    await refused(call(), 'TooManyCallsError');
    for (const { data } of tab.received('request')) {
      tab.say('result', { id: data['id'], ok: true, value: data['id'] });
    }
    const ids = tab.received('request').map(({ data }) => data['id']);
    expect((await Promise.all(calls)).toSorted()).toEqual(ids.toSorted());
    await tab.settle();
    expect(tab.received('error')).toEqual([]);
  });

  it('refuses what does not fit in a frame', async () => {
    const deep = JSON.parse('['.repeat(200) + ']'.repeat(200)) as unknown;
    for (const params of ['x'.repeat(61_440), deep]) {
      await refused(call({ params }), 'OversizedMessageError');
      const sent = tabs.send(userId, { app: 'a', to: '*', body: params });
      await refused(sent, 'OversizedMessageError');
    }
  });
});
