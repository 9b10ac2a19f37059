import { setTimeout as sleep } from 'node:timers/promises';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { LastingTab } from '../support/lasting-tab.js';
import { TabClient } from '../support/tab-client.js';
import { describeTopology, type Replica, Topology } from '../support/topology.js';

const ACCOUNTS = 20;
const TABS = 10;
const TALKING = 4;
const COULD_NOT_CONNECT = 1006;
/** A tab may send 50 messages a second. */
const PACE_MS = 40;

/**
 * Two tabs of an account on one replica; one sends numbers to the other, each after the previous one was
 * acknowledged.
 */
class Talk {
  private going = true;
  private sent = 0;
  private readonly talking: Promise<void>;

  constructor(
    private readonly from: TabClient,
    private readonly to: TabClient,
  ) {
    this.talking = this.talk();
    this.talking.catch(() => undefined);
  }

  /** Stops, and returns the numbers that were sent, acknowledged and received, which should be equal. */
  async end() {
    this.going = false;
    await this.talking;
    await this.to.settle();
    const came = this.to.received('message').map(({ data }) => data['body']);
    const taken = this.from.received('ack').filter(({ data }) => data['delivered'] === 1).length;
    await Promise.all([this.from.close(), this.to.close()]);
    return { sent: this.sent, taken, came };
  }

  private async talk() {
    while (this.going) {
      this.sent += 1;
      const id = String(this.sent);
      this.from.say('send', { to: this.to.id, body: this.sent, id });
      await this.from.next<{ id: string }>('ack', (ack) => ack.id === id);
      await sleep(PACE_MS);
    }
  }
}

describeTopology('hundreds of tabs and a rolling restart', () => {
  let topology: Topology;
  let browsers: Browser[];
  let tabs: LastingTab[];

  beforeAll(async () => {
    topology = await Topology.start();
    browsers = Array.from({ length: ACCOUNTS }, () => new Browser(topology));
    await Promise.all(browsers.map((browser) => browser.signUp()));
    tabs = browsers.flatMap((browser) =>
      Array.from({ length: TABS }, () => new LastingTab(topology, browser)),
    );
  });
  afterAll(async () => {
    await Promise.all(tabs.map((tab) => tab.leave()));
    await topology.stop();
  });

  /** All tabs are connected, and each knows exactly the tabs of its own account. */
  const allBack = () =>
    eventually(() => expect(new Set(tabs.map(({ sees }) => sees))).toEqual(new Set([TABS])));

  async function openAt(replica: Replica, browser: Browser): Promise<TabClient> {
    for (;;) {
      const tab = TabClient.dial(topology, browser);
      const address = new Promise((resolve) => {
        tab.socket.once('upgrade', ({ headers }) => resolve(headers['x-replica']));
      });
      await tab.next('welcome');
      if ((await address) === replica.address) return tab;
      await tab.close();
    }
  }

  const talkAt = async (replica: Replica, browser: Browser) =>
    new Talk(await openAt(replica, browser), await openAt(replica, browser));

  it('all come back without being refused once, and those that stayed lose no message', async () => {
    await allBack();
    const [first, second] = topology.replicas;
    for (const [ends, stays] of [
      [first, second],
      [second, first],
    ] as const) {
      const talks = await Promise.all(
        browsers.slice(0, TALKING).map((browser) => talkAt(stays, browser)),
      );
      expect(await ends.end()).toBe(0);
      await ends.start();
      await topology.settle();
      for (const { sent, taken, came } of await Promise.all(talks.map((talk) => talk.end()))) {
        expect(came).toEqual(Array.from({ length: sent }, (_, n) => n + 1));
        expect(taken).toBe(sent);
      }
      await allBack();
    }
    const closings = tabs.flatMap((tab) => tab.closings);
    expect(closings.length).toBeGreaterThanOrEqual(tabs.length);
    expect(closings).toContain(1001);
    expect(closings).not.toContain(COULD_NOT_CONNECT);
  });
});
