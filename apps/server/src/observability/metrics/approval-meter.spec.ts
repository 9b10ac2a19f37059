import { Registry } from '../prometheus.js';
import { MetricsApprovalMeter } from './approval-meter.js';

describe('MetricsApprovalMeter', () => {
  it('counts each end from 0, and how long decisions took', async () => {
    const registry = new Registry();
    const meter = new MetricsApprovalMeter(registry);
    meter.ended('call', 'once', 4_000);
    meter.ended('call', 'once', 60_000);
    meter.ended('permission', 'expired', 600_000);
    const text = await registry.metrics();
    const count = (kind: string, decision: string) =>
      `gatehouse_requests_total{kind="${kind}",decision="${decision}"}`;
    expect(text).toContain(`${count('call', 'once')} 2\n`);
    expect(text).toContain(`${count('permission', 'expired')} 1\n`);
    expect(text).toContain(`${count('permission', 'always')} 0\n`);
    expect(text).toContain('gatehouse_request_wait_seconds_sum 64\n');
    expect(text).toContain('gatehouse_request_wait_seconds_count 2\n');
  });
});
