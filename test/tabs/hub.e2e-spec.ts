import { type OpenRequest, OpenRequests } from '#libs/tab-hub';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { startGatehouse, useReplicas } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

const replicated = globalThis.STORAGE !== 'embedded';

/** One process, or two that share their storage; then the second tab is connected to the other process. */
describe(`the tab hub (${replicated ? 'on two replicas' : 'on one process'})`, () => {
  const [here, there] = useReplicas();
  let ann: Browser;
  let first: TabClient;
  let second: TabClient;

  beforeEach(async () => {
    ann = new Browser(here);
    await ann.signUp();
    first = await TabClient.open(here, ann);
    second = await TabClient.open({ port: there.port, origin: here.origin }, ann);
    await first.sees(first, second);
    await second.sees(first, second);
  });
  afterEach(async () => {
    await Promise.all([first.close(), second.close()]);
  });

  it('welcomes a tab with its id and all tabs, itself included', async () => {
    const { tabId, tabs } = await second.next('welcome');
    expect(tabId).toMatch(/^[\w-]{22}$/);
    const connectedAt = expect.stringMatching(/^\d{4}-.*Z$/);
    const about = { title: '', url: '', connectedAt, toolNames: [] };
    expect(tabs).toEqual([
      { id: first.id, ...about },
      { id: second.id, ...about },
    ]);
    expect(second.frames[0]?.event).toBe('welcome');
  });

  it('tells every tab when one changes or goes', async () => {
    second.say('hello', { title: 'Inbox', url: 'https://site.example/inbox' });
    const isTold = ({ tabs }: { tabs: { title: string }[] }) =>
      tabs.some(({ title }) => title === 'Inbox');
    const { tabs } = await first.next('tabs', isTold);
    expect(tabs[1]).toMatchObject({ id: second.id, url: 'https://site.example/inbox' });
    second.say('hello', { title: '' });
    await first.until(() => first.tabs[1]?.title === '', 'empty title');
    expect(first.tabs[1]?.url).toBe('https://site.example/inbox');
    await second.close();
    await first.sees(first);
  });

  it('carries a message to one tab, and says so when asked', async () => {
    const body = { deep: [1, null, 'ä\u2028', { __proto__: 1 }] };
    const ack = await first.ask('send', { to: second.id, body, id: 'm1' }, 'ack');
    expect(ack).toEqual({ id: 'm1', delivered: 1 });
    expect(await second.next('message')).toEqual({ from: first.id, body });
    expect(first.received('message')).toEqual([]);
  });

  it('carries a message to all other tabs, in the order they were sent', async () => {
    const third = await TabClient.open(here, ann);
    const { delivered } = await first.ask('send', { to: '*', body: 0, id: 'all' }, 'ack');
    expect(delivered).toBe(2);
    for (let n = 1; n < 40; n += 1) first.say('send', { to: '*', body: n });
    for (const tab of [second, third]) {
      await tab.next('message', ({ body }) => body === 39);
      const bodies = tab.received('message').map(({ data }) => data['body']);
      expect(bodies).toEqual(Array.from({ length: 40 }, (_, n) => n));
    }
    await first.settle();
    expect(first.received('message')).toEqual([]);
    expect(first.received('ack')).toHaveLength(1);
    await third.close();
  });

  it('delivers nothing to the sender itself', async () => {
    const ack = await first.ask('send', { to: first.id, body: 1, id: 'me' }, 'ack');
    expect(ack).toEqual({ id: 'me', delivered: 0 });
    expect(first.received('message')).toEqual([]);
  });

  it('answers a ping with what it held', async () => {
    expect(await first.ask('ping', { at: 1 }, 'pong')).toEqual({ at: 1 });
    first.frames.length = 0;
    first.say('ping');
    await first.until(() => first.received('pong').length === 1, 'pong');
    expect(first.frames).toEqual([{ event: 'pong' }]);
  });

  it('knows no tab that is closed, made up or of another account', async () => {
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const foreign = await TabClient.open(here, bob);
    expect(foreign.tabs.map(({ id }) => id)).toEqual([foreign.id]);
    for (const to of [foreign.id, 'A'.repeat(22), '__proto__', 'constructor', 'toString']) {
      const error = await first.ask('send', { to, body: 'x', id: 'm' }, 'error');
      expect(error).toEqual({ code: 'unknown_tab', message: expect.any(String) });
    }
    await first.settle();
    await foreign.settle();
    expect(first.received('ack')).toEqual([]);
    expect(foreign.received('message')).toEqual([]);
    expect(foreign.received('tabs').flatMap(({ data }) => data['tabs'])).toHaveLength(1);
    await foreign.close();
  });

  it('takes 32 tabs of an account, wherever they are, and turns the next one away', async () => {
    const more = await Promise.all(
      Array.from({ length: 30 }, (_, n) =>
        TabClient.open({ port: (n % 2 ? here : there).port, origin: here.origin }, ann),
      ),
    );
    await first.until(() => first.tabs.length === 32, '32 tabs');
    const refused = TabClient.dial(here, ann);
    expect(await refused.closed).toEqual({ code: 4429, reason: 'too many tabs' });
    expect(refused.frames).toEqual([]);
    await more[0]?.close();
    const admitted = await TabClient.open(here, ann);
    await Promise.all([...more, admitted].map((tab) => tab.close()));
  });

  it('counts a message to all for each tab that gets it, on every replica', async () => {
    const others: TabClient[] = [];
    while (others.length < 22) {
      const { port } = others.length % 2 === 0 ? there : here;
      others.push(await TabClient.open({ port, origin: here.origin }, ann));
    }
    const all = [first, second, ...others];
    await first.sees(...all);
    const startedAt = performance.now();
    const senders = all.filter((_tab, n) => n % 4 < 2);
    for (let n = 0; n < 90; n += 1)
      for (const sender of senders) sender.say('send', { to: '*', body: n });
    const told = { code: 'rate_limited', message: expect.any(String) };
    for (const sender of senders) expect(await sender.next('error')).toEqual(told);
    for (const tab of all) await tab.settle();
    const seconds = (performance.now() - startedAt) / 1000;
    // Each replica sends 2000 to further tabs at once and 1000 a second; each of its tabs gets its share.
    const atMost = ((replicated ? 2 : 1) * 2 * (2000 + seconds * 1000)) / (all.length - 2);
    const witness = others[21];
    const heard = witness?.received('message').length ?? 0;
    expect(heard).toBeGreaterThan(2000 / all.length);
    expect(heard).toBeLessThan(Math.min(atMost, senders.length * 90));
    await eventually(() => {
      first.say('send', { to: second.id, body: 'end', id: 'e' });
      expect(first.received('ack')).not.toEqual([]);
    });
    for (const tab of others) await tab.close();
  });
});

/** Requests that the spec opens, for all replicas of this process. */
class SharedRequests extends OpenRequests {
  readonly open = new Map<string, OpenRequest[]>();
  isDown = false;
  reads = 0;
  private readonly listeners: ((userId: string) => void)[] = [];

  override async of(userId: string) {
    this.reads += 1;
    if (this.isDown) throw new Error('down');
    return this.open.get(userId) ?? [];
  }

  override onChanged(listener: (userId: string) => void) {
    this.listeners.push(listener);
  }

  change(userId: string, ...open: OpenRequest[]) {
    this.open.set(userId, open);
    for (const listener of this.listeners) listener(userId);
  }
}

describe(`requests of apps, for the open tabs (contract: Tab hub) (${replicated ? 'two replicas' : 'one process'})`, () => {
  const requests = new SharedRequests();
  const replacements = { tabs: [{ provide: OpenRequests, useValue: requests }] };
  const [here, there] = useReplicas((replicaOf) =>
    startGatehouse({}, replicaOf, [{ replacements }]),
  );
  let ann: Browser;
  let userId: string;

  const openHere = () => TabClient.open(here, ann);
  const openThere = () => TabClient.open({ port: there.port, origin: here.origin }, ann);
  const request = (id: string) => ({
    id,
    app: 'Painter',
    title: 'Paint the wall',
    passkey: true,
    expiresAt: Math.floor(Date.now() / 1000) + 600,
  });
  const told = (tab: TabClient) => tab.received('requests').map(({ data }) => data['requests']);
  const tells = (tab: TabClient, ...ids: string[]) =>
    tab.until(
      () => JSON.stringify(told(tab).at(-1)) === JSON.stringify(requests.open.get(userId) ?? []),
      `requests ${ids.join()}`,
    );

  beforeEach(async () => {
    requests.isDown = false;
    ann = new Browser(here);
    userId = (await ann.signUp()).json<{ user: { id: string } }>().user.id;
  });

  it('are told after the welcome and at each change, on every replica, and to no other account', async () => {
    const bob = new Browser(here);
    await bob.signUp('Bob');
    const foreign = await TabClient.open(here, bob);
    const tabs = [await openHere(), await openThere()];
    for (const tab of tabs) {
      await tells(tab);
      expect(told(tab)).toEqual([[]]);
    }
    const [first, second] = [request('first'), request('second')];
    requests.change(userId, first);
    for (const tab of tabs) await tells(tab, 'first');
    const late = await openThere();
    await tells(late, 'first');
    requests.change(userId, second, first);
    for (const tab of [...tabs, late]) await tells(tab, 'second', 'first');
    requests.change(userId);
    for (const tab of [...tabs, late]) await tells(tab);
    expect(tabs.map(told)).toEqual([0, 1].map(() => [[], [first], [second, first], []]));
    expect(late.frames[0]?.event).toBe('welcome');
    expect(told(late)).toEqual([[first], [second, first], []]);
    await foreign.settle();
    expect(told(foreign)).toEqual([[]]);
    await Promise.all([...tabs, late, foreign].map((tab) => tab.close()));
  });

  it('that change a hundred times in a second are read a few times, and the last ones are told', async () => {
    const tabs = [await openHere(), await openHere(), await openThere()];
    for (const tab of tabs) await tells(tab);
    const before = requests.reads;
    const startedAt = performance.now();
    for (let n = 1; n <= 100; n += 1) requests.change(userId, request(`${n}`));
    for (const tab of tabs) await tells(tab, '100');
    const quarters = Math.ceil((performance.now() - startedAt) / 250);
    expect(requests.reads - before).toBeLessThanOrEqual((replicated ? 2 : 1) * (quarters + 1));
    await Promise.all(tabs.map((tab) => tab.close()));
  });

  it('that cannot be read leave every tab connected, and follow', async () => {
    const tabs = [await openHere(), await openThere()];
    requests.isDown = true;
    requests.change(userId, request('first'));
    const before = requests.reads;
    await eventually(() => expect(requests.reads).toBeGreaterThan(before + 1));
    for (const tab of tabs) await tab.settle();
    requests.isDown = false;
    for (const tab of tabs) await tells(tab, 'first');
    await Promise.all(tabs.map((tab) => tab.close()));
  });
});
