import { setImmediate as turn } from 'node:timers/promises';
import { jest } from '@jest/globals';
import { TabHubTestbed } from './tab-hub.testbed.js';
import { TabsGateway } from './tabs.gateway.js';

const MAX_PENDING_ACKS = 32;

describe('TabsGateway', () => {
  let hub: TabHubTestbed;
  let gateway: TabsGateway;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
    gateway = new TabsGateway(hub.connections, hub.presence, hub.bus);
  });
  afterEach(async () => {
    jest.useRealTimers();
    await hub.stop();
  });

  it('takes no frame of a tab that waits for 32 acks, until there are fewer', async () => {
    const { tab } = await hub.connect();
    hub.bus.silentReplicas = 1;
    jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] });
    let done = 0;
    for (let n = 1; n <= MAX_PENDING_ACKS; n += 1) {
      void gateway.send(tab, { to: '*', body: n, id: `m${n}` }).then(() => (done += 1));
    }
    await turn();
    expect([done, tab.pendingAcks]).toEqual([MAX_PENDING_ACKS - 1, MAX_PENDING_ACKS]);
    await jest.advanceTimersByTimeAsync(1_000);
    expect([done, tab.pendingAcks]).toEqual([MAX_PENDING_ACKS, 0]);
  });

  it('sends nothing to a tab that is not there', async () => {
    const { tab } = await hub.connect();
    const sent = gateway.send(tab, { to: 'none', body: 1, id: 'm' });
    await expect(sent).rejects.toMatchObject({ name: 'UnknownTabError' });
    expect(hub.bus.published.filter(({ kind }) => kind === 'message')).toEqual([]);
  });
});
