import { setImmediate as turn } from 'node:timers/promises';
import { SchemaChecks } from '#libs/platform';
import { eventually } from '../../../../test/support/eventually.js';
import { TabBusDownError } from '../bus/tab-bus.js';
import { TabHubTestbed } from './tab-hub.testbed.js';
import { UnknownTabError } from '../hub/errors.js';
import type { TabSocket } from './tab-socket.js';
import { TabsGateway } from './tabs.gateway.js';

const MAX_PENDING_SENDS = 32;

describe('TabsGateway', () => {
  let hub: TabHubTestbed;
  let gateway: TabsGateway;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
    gateway = new TabsGateway(hub.connections, hub.presence, hub.bus, new SchemaChecks());
  });
  afterEach(async () => {
    jest.useRealTimers();
    await hub.stop();
  });

  const send = (tab: TabSocket, to: string, id?: string) => gateway.send(tab, { to, body: 1, id });
  const sent = () => hub.bus.published.filter(({ kind }) => kind === 'message');

  it('takes no frame of a tab that waits for 32 acks, until there are fewer', async () => {
    const { tab } = await hub.connect();
    hub.bus.silentReplicas = 1;
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    let done = 0;
    for (let n = 1; n <= MAX_PENDING_SENDS; n += 1) {
      void send(tab, '*', `m${n}`).then(() => (done += 1));
    }
    await turn();
    expect([done, tab.pendingSends]).toEqual([MAX_PENDING_SENDS - 1, MAX_PENDING_SENDS]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([done, tab.pendingSends]).toEqual([MAX_PENDING_SENDS, 0]);
  });

  it('takes no frame of a tab whose 32 messages are not on their way, until they are', async () => {
    const { tab } = await hub.connect();
    const { promise, resolve } = Promise.withResolvers<number>();
    hub.bus.publish = () => promise;
    let done = 0;
    for (let n = 1; n <= MAX_PENDING_SENDS; n += 1) void send(tab, '*').then(() => (done += 1));
    await turn();
    const before = [done, tab.pendingSends];
    resolve(1);
    expect(before).toEqual([MAX_PENDING_SENDS - 1, MAX_PENDING_SENDS]);
    await turn();
    expect([done, tab.pendingSends]).toEqual([MAX_PENDING_SENDS, 0]);
  });

  it('ends a tab whose message could not be sent', async () => {
    const { tab, closed } = await hub.connect();
    hub.bus.publish = async () => {
      throw new TabBusDownError();
    };
    await send(tab, '*');
    expect(await closed).toBe(1013);
  });

  it('sends nothing to a tab that is not there', async () => {
    const { tab } = await hub.connect();
    await expect(send(tab, 'none', 'm')).rejects.toThrow(UnknownTabError);
    expect(sent()).toEqual([]);
  });

  it('delivers what a tab sends in order, to all or to one', async () => {
    const [{ tab }, { tab: to, frames }] = [await hub.connect(), await hub.connect()];
    const addressees = Array.from({ length: 20 }, (_, n) => (n % 3 === 0 ? '*' : to.id));
    for (const [n, address] of addressees.entries()) {
      await gateway.send(tab, { to: address, body: n });
    }
    const bodies = () =>
      frames.filter(({ event }) => event === 'message').map(({ data }) => data['body']);
    await eventually(() => expect(bodies()).toEqual(addressees.map((_, n) => n)));
  });
});
