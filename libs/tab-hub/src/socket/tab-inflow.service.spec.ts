import { WebSocket } from 'ws';
import { AccountTurns } from '#libs/platform';
import { eventually } from '../../../../test/support/eventually.js';
import { TabHubTestbed } from './tab-hub.testbed.js';
import { TabInflowService } from './tab-inflow.service.js';

const TOO_MANY = 700;

describe('TabInflowService', () => {
  let hub: TabHubTestbed;
  let inflow: TabInflowService;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
    inflow = new TabInflowService(hub.connections, new AccountTurns());
  });
  afterEach(() => hub.stop());

  const connect = async () => {
    const connected = await hub.connect();
    inflow.bind(connected.tab, []);
    await eventually(() => expect(connected.page.readyState).toBe(WebSocket.OPEN));
    return connected;
  };

  it.each(['send', 'pong'] as const)(
    'reads nothing more of a tab that sent too much by %s, and tells it why',
    async (how) => {
      const { tab, page, closed } = await connect();
      // What has not seen the close does not answer it, and goes on.
      page.pause();
      for (let n = 0; n < TOO_MANY; n += 1) page[how]('');
      await eventually(() => expect(tab.isOpen).toBe(false));
      expect(tab.isPaused).toBe(true);
      page.resume();
      expect(await closed).toBe(4408);
    },
  );

  it('reads nothing more of one that sends too much when its connection is closing already', async () => {
    const { tab, page, closed } = await connect();
    page.pause();
    tab.close(1000);
    for (let n = 0; n < TOO_MANY; n += 1) page.send('');
    await eventually(() => expect(tab.isPaused).toBe(true));
    page.resume();
    expect(await closed).toBe(1000);
  });
});
