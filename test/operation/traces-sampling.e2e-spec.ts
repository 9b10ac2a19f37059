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
      ...collector.variables,
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.origin}/of-traces`,
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
    expect(new Set(collector.paths)).toEqual(new Set(recorded.map(() => '/of-traces')));
  });
});

/** The ratio sampler accepts this id at any ratio, so a client that may choose the id is always recorded. */
const ALWAYS_TAKEN = `${'0'.repeat(31)}1`;
const MANY = 64;

describe.each([
  ['traceidratio', {}, 1, MANY - 1],
  ['parentbased_traceidratio', {}, 1, MANY - 1],
  ['parentbased_traceidratio', { TRUSTED_PROXIES: 'loopback' }, MANY, MANY],
])('traces with %s of a half and %j', (sampler, variables, least, most) => {
  let collector: TraceCollector;

  beforeEach(async () => {
    collector = await TraceCollector.start();
  });
  afterEach(() => collector.stop());

  it(`are of ${least} to ${most} of ${MANY} requests that come with an id to be recorded by`, async () => {
    const gatehouse = await startGatehouse({
      ...collector.variables,
      ...variables,
      OTEL_TRACES_SAMPLER: sampler,
      OTEL_TRACES_SAMPLER_ARG: '.5',
    });
    const traceparent = `00-${ALWAYS_TAKEN}-${PARENT}-01`;
    for (let n = 0; n < MANY; n += 1) {
      await new Browser(gatehouse).get('/svc/auth/me', { traceparent });
    }
    await gatehouse.stop();
    const recorded = collector.spans.filter(({ name }) => name === 'GET /svc/auth/me');
    expect(recorded.length).toBeGreaterThanOrEqual(least);
    expect(recorded.length).toBeLessThanOrEqual(most);
  });
});
