import { InProcessTabPresence } from '../presence/tab-presence.in-process.js';
import { TABS_CHANGED, TOOLS_CHANGED } from '../bus/tab-bus.js';
import { AccountHubsService } from './account-hubs.service.js';
import { CountedTabBus } from './counted-tab-bus.testbed.js';
import { ToolsWatch } from './tabs.service.js';

describe('ToolsWatch', () => {
  let bus: CountedTabBus;
  let hubs: AccountHubsService;
  let told: number;
  let watch: ToolsWatch;

  const pass = (ms: number) => jest.advanceTimersByTimeAsync(ms);
  const change = () => bus.publish('ann', TOOLS_CHANGED);
  const begin = () => new ToolsWatch(hubs, 'ann', () => (told += 1));

  beforeEach(async () => {
    jest.useFakeTimers();
    [bus, told] = [new CountedTabBus(), 0];
    hubs = new AccountHubsService(bus, new InProcessTabPresence());
    hubs.onModuleInit();
    watch = begin();
    await pass(0);
  });
  afterEach(async () => {
    watch.stop();
    await pass(0);
    expect([hubs.size, bus.subscriptions, jest.getTimerCount()]).toEqual([0, 0, 0]);
    jest.useRealTimers();
  });

  it('tells at once that tools have changed, and nothing else', async () => {
    await bus.publish('ann', TABS_CHANGED);
    await bus.publish('bob', TOOLS_CHANGED);
    await pass(1_000);
    expect(told).toBe(0);
    await change();
    await pass(0);
    expect(told).toBe(1);
  });

  it('tells four times a second at most, and always after the last change', async () => {
    for (let n = 0; n < 100; n += 1) {
      await change();
      await pass(10);
    }
    expect(told).toBeLessThanOrEqual(5);
    const before = told;
    await change();
    await pass(250);
    expect(told).toBeGreaterThan(before);
  });

  it('tells every listener, until it is stopped', async () => {
    const other = begin();
    await pass(0);
    await change();
    await pass(250);
    expect(told).toBe(2);
    other.stop();
    await change();
    await pass(250);
    expect(told).toBe(3);
  });

  it('goes on when the bus was lost, and tells that something may have been missed', async () => {
    bus.isDown = true;
    bus.lose();
    bus.subscriptions = 0;
    await pass(5_000);
    expect(told).toBe(0);
    bus.isDown = false;
    await pass(1_000);
    expect(told).toBe(1);
    await change();
    await pass(250);
    expect(told).toBe(2);
  });

  it('may be stopped before it has begun, and while the bus is away', async () => {
    begin().stop();
    bus.isDown = true;
    const late = new ToolsWatch(hubs, 'bob', () => (told += 1));
    await pass(2_500);
    late.stop();
    expect(told).toBe(0);
  });
});
