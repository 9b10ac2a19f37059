import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TraceCollector } from '../support/trace-collector.js';

const PARENT = '00f067aa0ba902b7';

const traceId = (digit: number) => String(digit).repeat(32);

describe.each([
  ['always_on below strangers', { OTEL_TRACES_SAMPLER: 'parentbased_always_on' }, [1, 2]],
  ['always_off below strangers', { OTEL_TRACES_SAMPLER: 'parentbased_always_off' }, []],
  [
    'always_off below a trusted proxy',
    { OTEL_TRACES_SAMPLER: 'parentbased_always_off', TRUSTED_PROXIES: 'loopback' },
    [1],
  ],
  [
    'always_on below a trusted proxy',
    { OTEL_TRACES_SAMPLER: 'parentbased_always_on', TRUSTED_PROXIES: 'loopback' },
    [1],
  ],
])('traces with %s', (_what, variables, recorded) => {
  let collector: TraceCollector;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    gatehouse = await startGatehouse({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: collector.origin,
      ...variables,
    });
  });
  afterAll(() => collector.stop());

  it('are of those requests alone that the sampler picks', async () => {
    const browser = new Browser(gatehouse);
    const ask = (digit: number, flags: string) =>
      browser.get('/svc/auth/me', { traceparent: `00-${traceId(digit)}-${PARENT}-${flags}` });
    await ask(1, '01');
    await ask(2, '00');
    await gatehouse.stop();
    const ids = new Set(collector.spans.map((span) => span.traceId));
    expect([...ids].toSorted()).toEqual(recorded.map(traceId));
  });
});
