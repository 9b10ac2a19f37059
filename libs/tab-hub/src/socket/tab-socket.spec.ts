import { eventually } from '../../../../test/support/eventually.js';
import { hubFrame } from '../protocol/hub-frame.js';
import { TabHubTestbed } from './tab-hub.testbed.js';

describe('TabSocket', () => {
  let hub: TabHubTestbed;

  beforeEach(async () => {
    hub = new TabHubTestbed();
    await hub.start();
  });
  afterEach(() => hub.stop());

  it('writes the frames of one turn in order, whatever their size, and mixes with pings and the close', async () => {
    const { tab, frames, closed } = await hub.connect();
    const data = ['', 'ä', 'x'.repeat(200), 'y'.repeat(70_000), 'z'];
    frames.length = 0;
    for (const one of data) {
      expect(tab.write(hubFrame('pong', one))).toBe(true);
      tab.ping();
    }
    tab.close(4999, 'bye');
    expect(tab.write(hubFrame('pong', 'late'))).toBe(false);
    expect(await closed).toBe(4999);
    const pongs = frames.filter(({ event }) => event === 'pong');
    expect(pongs.map((frame): unknown => frame.data)).toEqual(data);
  });

  it('does not take much at once for a slow reader', async () => {
    const { tab, frames } = await hub.connect();
    const large = hubFrame('pong', 'x'.repeat(60_000));
    const written = Array.from({ length: 32 }, () => tab.write(large));
    expect(written).not.toContain(false);
    const pongs = () => frames.filter(({ event }) => event === 'pong');
    await eventually(() => expect(pongs()).toHaveLength(32));
    expect(tab.isOpen).toBe(true);
  });
});
