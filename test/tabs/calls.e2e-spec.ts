import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { useReplicas } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const replicated = globalThis.STORAGE !== 'embedded';

interface Request {
  readonly id: string;
  readonly params: unknown;
}

/** The app calls one process; the tabs are connected to the other one if there are two. */
describe(`calls of tabs (contract: Tab hub) (${replicated ? 'two replicas' : 'one process'})`, () => {
  const [here, there] = useReplicas();
  let app: ConnectedApp;
  let tab: TabClient;
  let other: TabClient;

  const about = (params: unknown = null, timeoutMs = 20_000) => ({
    tab: tab.id,
    method: 'paint',
    params,
    timeoutMs,
  });
  const call = (params?: unknown) => app.at(there).have('call_tab', about(params));
  /** A call whose app closes its connection when the signal is aborted. */
  const callUntil = (signal: AbortSignal) => {
    const params = { name: 'call_tab', arguments: about('cancelled') };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    return app
      .at(there)
      .sendText(JSON.stringify(message), signal)
      .catch(() => 'cut off');
  };
  const expectTooLate = async (id: string) => {
    for (const [event, data] of [
      ['result', { id, ok: true, value: 1 }],
      ['progress', { id, progress: 1 }],
    ] as const) {
      expect(await tab.ask(event, data, 'error')).toMatchObject({ code: 'bad_message', id });
    }
  };

  beforeEach(async () => {
    app = await ConnectedApp.connect(here);
    tab = await TabClient.open(here, app.browser);
    other = await TabClient.open(here, app.browser);
  });
  afterEach(() => Promise.all([tab.close(), other.close()]));

  it('are put to the tab, and answered once', async () => {
    const answer = call({ colour: 'red' });
    const request = await tab.next<Request>('request');
    expect(request).toEqual({
      id: expect.stringMatching(/^[\w-]{22}$/),
      app: 'Test App',
      method: 'paint',
      params: { colour: 'red' },
      expiresAt: expect.stringMatching(/Z$/),
    });
    tab.say('result', { id: request.id, ok: true, value: { was: ['blue', null] } });
    expect(await answer).toEqual({ value: { was: ['blue', null] } });
    await expectTooLate(request.id);
  });

  it('no other tab can answer a call or send progress for it', async () => {
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const foreign = await TabClient.open(here, bob);
    const answer = call();
    const { id } = await tab.next<Request>('request');
    for (const thief of [other, foreign]) {
      const stolen = { id, ok: true, value: 'stolen' };
      const refused = { code: 'bad_message', message: expect.any(String), id };
      expect(await thief.ask('result', stolen, 'error')).toEqual(refused);
      expect(await thief.ask('progress', { id, progress: 3 }, 'error')).toEqual(refused);
    }
    tab.say('result', { id, ok: true, value: 'own' });
    expect(await answer).toEqual({ value: 'own' });
    await foreign.close();
  });

  it('whose time is up are cancelled, and take no answer', async () => {
    const sentence = await app.at(there).refusal('call_tab', about(null, 50));
    expect(sentence).toContain('did not answer within 50 ms');
    const { id } = await tab.next<Request>('request');
    expect(await tab.next('cancel')).toEqual({ id });
    await expectTooLate(id);
  });

  it('whose app hangs up are cancelled, which no other tab hears, and take no answer', async () => {
    const hangUp = new AbortController();
    const calling = callUntil(hangUp.signal);
    const { id } = await tab.next<Request>('request');
    hangUp.abort();
    expect(await calling).toBe('cut off');
    expect(await tab.next('cancel')).toEqual({ id });
    await expectTooLate(id);
    await other.settle();
    expect(other.received('cancel')).toEqual([]);
  });

  it('may be cancelled many at once, and the others go on', async () => {
    const hangUp = new AbortController();
    const kept = Array.from({ length: 8 }, (_, n) => call(n));
    const cut = Array.from({ length: 16 }, () => callUntil(hangUp.signal));
    await tab.until(() => tab.received('request').length === 24, '24 requests');
    hangUp.abort();
    expect(new Set(await Promise.all(cut))).toEqual(new Set(['cut off']));
    await tab.until(() => tab.received('cancel').length === 16, '16 cancels');
    const gone = new Set(tab.received('cancel').map(({ data }) => data['id']));
    for (const { data } of tab.received('request')) {
      expect(gone.has(data['id'])).toBe(data['params'] === 'cancelled');
      if (gone.has(data['id'])) continue;
      tab.say('result', { id: data['id'], ok: true, value: data['params'] });
    }
    expect(await Promise.all(kept)).toEqual(kept.map((_, value) => ({ value })));
  });

  it('fail all at once when their tab leaves', async () => {
    const calls = [1, 2, 3].map(() => app.at(there).refusal('call_tab', about()));
    await tab.until(() => tab.received('request').length === 3, '3 requests');
    tab.socket.terminate();
    for (const sentence of await Promise.all(calls)) {
      expect(sentence).toContain('closed before it answered');
    }
  });

  it('drop progress that their app did not ask for', async () => {
    const answer = call();
    const { id } = await tab.next<Request>('request');
    tab.say('progress', { id, progress: 1 });
    tab.say('result', { id, ok: true, value: 'done' });
    expect(await answer).toEqual({ value: 'done' });
    await tab.settle();
    expect(tab.received('error')).toEqual([]);
  });
});
