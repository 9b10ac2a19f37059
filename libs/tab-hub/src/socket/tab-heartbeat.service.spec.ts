import { TabHeartbeatService } from './tab-connections.service.js';
import { TabHubTestbed } from './tab-hub.testbed.js';

describe('TabHeartbeatService', () => {
  let hub: TabHubTestbed;
  let heartbeat: TabHeartbeatService;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
    heartbeat = new TabHeartbeatService({ heartbeatMs: 20 }, hub.connections);
  });
  afterEach(async () => {
    heartbeat.onModuleDestroy();
    await hub.stop();
  });

  it('closes a tab that leaves a ping unanswered, by itself', async () => {
    const { closed } = await hub.connect({ autoPong: false });
    heartbeat.onModuleInit();
    expect(await closed).toBe(4408);
  });
});
