import { parseMetrics, type Sample, valueOf } from '../operation/metrics-text.js';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { Receiver } from './receiver.js';
import { askManagement } from '../support/management.js';

const DELIVERIES = 'gatehouse_webhook_deliveries_total';
const EVENTS = 'gatehouse_webhook_events';

const samplesOf = async (gatehouse: Gatehouse): Promise<Sample[]> =>
  parseMetrics((await askManagement(gatehouse, '/metrics')).text);

describe('running a service that tells of events', () => {
  let receiver: Receiver;

  beforeEach(async () => {
    receiver = await Receiver.start();
  });
  afterEach(() => receiver.stop());

  it('metrics say what came of deliveries, how much waits, and for how long', async () => {
    const gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0', ...receiver.variables });
    const first = await samplesOf(gatehouse);
    expect(first.filter(({ name }) => name === DELIVERIES).map(({ labels }) => labels)).toEqual([
      { outcome: 'delivered' },
      { outcome: 'failed' },
      { outcome: 'dead' },
    ]);
    await new Browser(gatehouse).signUp();
    await eventually(async () => {
      const samples = await samplesOf(gatehouse);
      expect(valueOf(samples, DELIVERIES, { outcome: 'delivered' })).toBe(1);
      expect(valueOf(samples, EVENTS)).toBe(0);
      expect(valueOf(samples, 'gatehouse_webhook_oldest_waiting_seconds')).toBe(0);
    });
    receiver.answers((_delivery, response) => void response.writeHead(500).end());
    await new Browser(gatehouse).signUp();
    await eventually(async () => {
      const samples = await samplesOf(gatehouse);
      expect(valueOf(samples, DELIVERIES, { outcome: 'failed' })).toBe(1);
      expect(valueOf(samples, EVENTS, { state: 'waiting' })).toBe(1);
      expect(valueOf(samples, EVENTS, { state: 'dead' })).toBe(0);
      expect(valueOf(samples, 'gatehouse_webhook_oldest_waiting_seconds')).toBeGreaterThan(0);
    });
    await gatehouse.stop();
  });

  it('without a webhook there are no such metrics', async () => {
    const gatehouse = await startGatehouse({ MANAGEMENT_PORT: '0' });
    const names = (await samplesOf(gatehouse)).map(({ name }) => name);
    expect(names.filter((name) => name.includes('webhook'))).toEqual([]);
    await gatehouse.stop();
  });
});
