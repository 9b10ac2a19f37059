import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';
import { TabClient } from '../support/tab-client.js';
import { describeTopology, type Replica, Topology } from '../support/topology.js';

const CREDITS = 20;

describeTopology('tabs, tools and credits over two replicas', () => {
  let storage: TestStorage;
  let topology: Topology;
  let app: ConnectedApp;

  beforeAll(async () => {
    storage = await storageForTests();
    topology = await Topology.start({
      ...storage.environment,
      BUDGET_DAILY_LIMIT: String(CREDITS),
      SHUTDOWN_GRACE: '5',
    });
  });
  beforeEach(async () => {
    app = await ConnectedApp.connect(topology);
    await topology.settle();
  });
  afterAll(async () => {
    await topology.stop();
    await storage.dispose();
  });

  /** Opens a tab, and finds the replica that the load balancer chose. */
  async function open(browser: Browser): Promise<{ tab: TabClient; replica: Replica }> {
    const tab = TabClient.dial(topology, browser);
    const address = new Promise<string>((resolve) => {
      tab.socket.once('upgrade', ({ headers }) => resolve(String(headers['x-replica'])));
    });
    await tab.next('welcome');
    const at = await address;
    const replica = topology.replicas.find((one) => one.address === at);
    if (!replica) throw new Error(`no replica at ${at}`);
    return { tab, replica };
  }

  /** Opens one tab on each replica; each tab knows the other one. */
  async function openOnBoth() {
    const [first, second] = [await open(app.browser), await open(app.browser)];
    expect(first.replica).not.toBe(second.replica);
    await Promise.all([first, second].map(({ tab }) => tab.sees(first.tab, second.tab)));
    return [first, second] as const;
  }

  it('a message goes from a tab on one to a tab on the other', async () => {
    const [{ tab: from }, { tab: to }] = await openOnBoth();
    const ack = await from.ask('send', { to: to.id, body: { n: 1 }, id: 'm' }, 'ack');
    expect(ack).toEqual({ id: 'm', delivered: 1 });
    expect(await to.next('message')).toMatchObject({ from: from.id, body: { n: 1 } });
    await Promise.all([from.close(), to.close()]);
  });

  it('an app reaches the tabs of both, whichever replica it asks', async () => {
    const opened = await openOnBoth();
    const ids = opened.map(({ tab }) => tab.id).toSorted();
    for (const { tab } of opened) {
      tab.socket.on('message', (text) => {
        const { event, data } = JSON.parse(String(text)) as { event: string; data: { id: string } };
        if (event === 'request') tab.say('result', { id: data.id, ok: true, value: tab.id });
      });
    }
    const turns = await topology.turns(async () => {
      for (const id of [...ids, ...ids]) {
        const listed = (await app.have('list_tabs'))?.['tabs'] as { id: string }[];
        expect(listed.map((tab) => tab.id).toSorted()).toEqual(ids);
        expect(await app.have('call_tab', { tab: id, method: 'who' })).toEqual({ value: id });
        expect(await app.have('send_message', { body: 'hello' })).toEqual({ delivered: 2 });
      }
    });
    expect(Math.min(...turns)).toBeGreaterThan(0);
    await Promise.all(opened.map(({ tab }) => tab.close()));
  });

  it('signing out closes the tabs on both', async () => {
    const opened = await openOnBoth();
    expect((await app.browser.post('/svc/auth/logout')).status).toBe(204);
    const closings = await Promise.all(opened.map(({ tab }) => tab.closed));
    expect(closings.map(({ code }) => code)).toEqual([4401, 4401]);
  });

  it('spends one budget: parallel calls over both get exactly what there is', async () => {
    const { tab } = await open(app.browser);
    const turns = await topology.turns(async () => {
      const answers = await Promise.all(
        Array.from({ length: 2 * CREDITS }, () => app.call('send_message', { body: 'hello' })),
      );
      expect(answers.filter(({ isError }) => isError !== true)).toHaveLength(CREDITS);
    });
    expect(Math.min(...turns)).toBeGreaterThan(0);
    expect(await app.used()).toBe(CREDITS);
    expect(tab.received('message')).toHaveLength(CREDITS);
    await tab.close();
  });

  it('a replica that ends sends its tabs away with 1001, and they are welcome at the other one', async () => {
    const [{ tab: sent, replica }, { tab: stays }] = await openOnBoth();
    const ended = replica.end();
    expect((await sent.closed).code).toBe(1001);
    const back = await TabClient.open(topology, app.browser);
    await Promise.all([stays, back].map((tab) => tab.sees(stays, back)));
    const ack = await back.ask('send', { to: stays.id, body: 1, id: 'm' }, 'ack');
    expect(ack['delivered']).toBe(1);
    expect(await ended).toBe(0);
    await replica.start();
    await Promise.all([stays.close(), back.close()]);
  });
});
