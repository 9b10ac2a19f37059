import { setTimeout as sleep } from 'node:timers/promises';
import { TabConnectionsService } from '#libs/tab-hub';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';

/** Fewer than 500 above the burst of 100, because beyond that the hub closes the tab. */
const SENT = 550;
/** The number of 60 KB frames that an account may send without a pause. */
const AT_ONCE = 30;

describe('what a connection to the tab hub may cost (contract: Tab hub)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let tab: TabClient;
  let witness: TabClient;

  // The service's view of connections, because a tab that reads nothing cannot tell.
  const sockets = () => gatehouse.app.get(TabConnectionsService, { strict: false }).all;
  /** Runs the heartbeat, which otherwise comes every 30 seconds. */
  const beat = () => gatehouse.app.get(TabConnectionsService, { strict: false }).beat();
  const connected = () => sockets().size;
  /** A connection that stops reading. */
  const freeze = ({ socket }: TabClient) => socket.pause();

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    tab = await TabClient.open(gatehouse, browser);
    witness = await TabClient.open(gatehouse, browser);
    await witness.sees(tab, witness);
  });
  afterEach(async () => {
    tab.socket.terminate();
    await witness.close();
    await eventually(() => expect(connected()).toBe(0));
  });

  it('of more than 100 messages at once the rest is dropped, and the tab gets an error', async () => {
    for (let n = 0; n < SENT; n += 1) tab.say('send', { to: witness.id, body: n });
    const error = await tab.next('error');
    expect(error).toEqual({ code: 'rate_limited', message: expect.any(String) });
    await eventually(() => {
      tab.say('ping');
      expect(tab.received('pong')).not.toEqual([]);
    });
    await witness.settle();
    const passed = witness.received('message').length;
    expect(passed).toBeGreaterThanOrEqual(100);
    expect(passed).toBeLessThan(SENT);
    expect(tab.socket.readyState).toBe(tab.socket.OPEN);
  });

  it('more than 2 MiB a second of all tabs of an account is dropped, and others go on', async () => {
    const bob = new Browser(gatehouse);
    await bob.signUp();
    const other = await TabClient.open(gatehouse, bob);
    const startedAt = performance.now();
    const data = 'x'.repeat(60_000);
    const senders = [tab, witness];
    for (let n = 0; n < 90; n += 1) for (const sender of senders) sender.say('ping', data);
    const told = senders.map((sender) => sender.next('error'));
    expect(await Promise.race(told)).toMatchObject({ code: 'rate_limited' });
    await other.settle();
    const pongs = () => senders.map((sender) => sender.received('pong').map((pong) => pong.data));
    await eventually(() => {
      for (const sender of senders) sender.say('ping', 'end');
      for (const answers of pongs()) expect(answers).toContain('end');
    });
    const seconds = (performance.now() - startedAt) / 1000;
    const bytes = pongs().flat().join('').length;
    expect(bytes).toBeLessThanOrEqual((1 + seconds) * 2 * 1024 * 1024);
    expect(bytes).toBeGreaterThan(1024 * 1024);
    expect(other.received('error')).toEqual([]);
    expect(tab.socket.readyState).toBe(tab.socket.OPEN);
    await other.close();
  });

  it.each([
    ['messages', () => tab.say('ping')],
    ['bad messages', () => tab.socket.send('x')],
    ['binary messages', () => tab.socket.send(Buffer.from('x'))],
  ])('who does not stop sending %s is given up', async (_what, send) => {
    for (let n = 0; n < 3000; n += 1) send();
    expect(await tab.closed).toEqual({ code: 4408, reason: 'too many messages' });
    await witness.sees(witness);
  });

  it.each(['ping', 'pong'] as const)('who does not stop sending %ss is given up', async (kind) => {
    for (let n = 0; n < 3000; n += 1) tab.socket[kind]();
    expect([4408, 1006]).toContain((await tab.closed).code);
    await witness.sees(witness);
  });

  it('who does not read is given up, and no other tab waits', async () => {
    freeze(tab);
    const body = 'x'.repeat(60_000);
    const isGone = () => witness.tabs.every(({ id }) => id !== tab.id);
    for (let n = 0; n < 400 && !isGone(); n += 1) {
      witness.say('send', { to: tab.id, body });
      if (n >= AT_ONCE) await sleep(25);
    }
    await witness.sees(witness);
    tab.socket.resume();
    expect([1006, 1013]).toContain((await tab.closed).code);
  });

  it('who does not read what its pings are answered with is given up', async () => {
    const bob = new Browser(gatehouse);
    await bob.signUp();
    const lone = await TabClient.open(gatehouse, bob);
    await lone.next('tabs');
    freeze(lone);
    for (const socket of sockets()) {
      if (socket.id === lone.id) socket.send('x'.repeat(16 * 1024 * 1024));
    }
    lone.socket.ping();
    await eventually(() => expect(connected()).toBe(2));
    lone.socket.terminate();
  });

  it('who gives no sign of life between two heartbeats is given up', async () => {
    freeze(tab);
    beat();
    await witness.settle();
    beat();
    await witness.sees(witness);
    expect(witness.socket.readyState).toBe(witness.socket.OPEN);
    tab.socket.resume();
    expect(await tab.closed).toEqual({ code: 4408, reason: 'no heartbeat' });
  });

  it('an answer to the heartbeat is a sign of life', async () => {
    for (let n = 0; n < 3; n += 1) {
      let pings = 0;
      for (const { socket } of [tab, witness]) socket.once('ping', () => (pings += 1));
      beat();
      await eventually(() => expect(pings).toBe(2));
      await Promise.all([tab.settle(), witness.settle()]);
    }
    expect(tab.socket.readyState).toBe(tab.socket.OPEN);
  });

  it('the service closes sockets with 1001 when it stops', async () => {
    const own = await startGatehouse();
    const ann = new Browser(own);
    await ann.signUp();
    const open = await TabClient.open(own, ann);
    const stopping = own.stop();
    expect((await open.closed).code).toBe(1001);
    await stopping;
  });
});
