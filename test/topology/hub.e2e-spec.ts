import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { TabClient } from '../support/tab-client.js';
import { describeTopology, type Replica, Topology } from '../support/topology.js';

describeTopology('tabs over two replicas', () => {
  let topology: Topology;
  let app: ConnectedApp;

  beforeAll(async () => {
    topology = await Topology.start({ SHUTDOWN_GRACE: '5' });
  });
  beforeEach(async () => {
    app = await ConnectedApp.connect(topology);
    await topology.settle();
  });
  afterAll(() => topology.stop());

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
