import { setTimeout as sleep } from 'node:timers/promises';
import { context, type Span as RecordedSpan, SpanStatusCode, trace } from '@opentelemetry/api';
import {
  InMemorySpanExporter,
  NodeTracerProvider,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-node';
import {
  currentRequestId,
  currentTraceId,
  followInSpan,
  hasTracerProvider,
  httpSpan,
  inSpan,
  readTraceparent,
  traceHeaders,
  underRequest,
  untraced,
} from './trace.js';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const GIVEN = `00-${ID}-${PARENT}-01`;

describe('traceparent', () => {
  it.each([
    ['of version 00', GIVEN, 1],
    ['that is not sampled', `00-${ID}-${PARENT}-00`, 0],
    ['with flags that are not known yet', `00-${ID}-${PARENT}-fe`, 0],
    ['of a later version', `cc-${ID}-${PARENT}-01-what-comes`, 1],
  ])('%s is read', (_what, header, traceFlags) => {
    const read = { traceId: ID, spanId: PARENT, traceFlags, isRemote: true };
    expect(readTraceparent(header, true)).toEqual(read);
  });

  it('of a stranger is not sampled', () => {
    expect(readTraceparent(GIVEN, false)).toMatchObject({ traceId: ID, traceFlags: 0 });
  });

  it.each([
    ['nothing', undefined],
    ['empty', ''],
    ['two of them', `${GIVEN}, ${GIVEN}`],
    ['a list', [GIVEN, GIVEN]],
    ['no trace', `00-${'0'.repeat(32)}-${PARENT}-01`],
    ['no parent', `00-${ID}-${'0'.repeat(16)}-01`],
    ['version ff', `ff-${ID}-${PARENT}-01`],
    ['more than version 00 has', `${GIVEN}-x`],
    ['upper case', GIVEN.toUpperCase()],
    ['an end of line', `${GIVEN}\n`],
    ['too short', GIVEN.slice(0, -1)],
    ['too long', `cc-${ID}-${PARENT}-01-${'x'.repeat(512)}`],
  ])('%s is none', (_what, header) => {
    expect(readTraceparent(header, true)).toBeUndefined();
  });
});

describe('a request that is not recorded', () => {
  it('goes on with the trace that it came with, under a parent of its own', () => {
    underRequest('edge-1', readTraceparent(GIVEN, true), () => {
      expect([currentRequestId(), currentTraceId()]).toEqual(['edge-1', ID]);
      const [one, other] = [traceHeaders().traceparent, traceHeaders().traceparent];
      expect(one).toMatch(new RegExp(`^00-${ID}-[0-9a-f]{16}-01$`));
      expect(new Set([one, other, GIVEN]).size).toBe(3);
    });
  });

  it('begins a trace by its own id, not sampled', () => {
    underRequest('4bf92f35-77b3-4da6-a3ce-929d0e0e4736', undefined, () => {
      expect(currentTraceId()).toBeUndefined();
      expect(traceHeaders().traceparent).toMatch(new RegExp(`^00-${ID}-[0-9a-f]{16}-00$`));
    });
  });

  it('begins none where its id cannot be that of a trace, or there is no request', () => {
    expect(traceHeaders()).toEqual({});
    expect(underRequest('edge-1', undefined, traceHeaders)).toEqual({});
    expect(underRequest('0'.repeat(32), undefined, traceHeaders)).toEqual({});
  });

  it('has no spans, and describes none', async () => {
    const describeIt = jest.fn(() => ({ name: 'nothing', kind: 'internal' as const }));
    const done = underRequest('id', readTraceparent(GIVEN, true), () => {
      followInSpan(describeIt, Promise.resolve());
      return inSpan(describeIt, async (span) => span);
    });
    await expect(done).resolves.toBeUndefined();
    expect(describeIt).not.toHaveBeenCalled();
    expect(hasTracerProvider()).toBe(false);
  });
});

describe('a piece of the work for a request', () => {
  const ended = new InMemorySpanExporter();

  beforeAll(() => {
    const spanProcessors = [new SimpleSpanProcessor(ended)];
    new NodeTracerProvider({ spanProcessors }).register();
  });
  beforeEach(() => ended.reset());
  afterAll(() => {
    trace.disable();
    context.disable();
  });

  const describeAs =
    (name: string, isLeaf = false) =>
    () =>
      ({ name, kind: 'internal', isLeaf }) as const;
  /** Runs work as in the request's own span, which stays open. */
  const recorded = <T>(work: (span: RecordedSpan) => T) => {
    const span = trace.getTracer('test').startSpan('request');
    const handle = () => underRequest('edge-1', undefined, () => work(span));
    return context.with(trace.setSpan(context.active(), span), handle);
  };
  const spans = () => ended.getFinishedSpans();
  const called = (name: string) => spans().find((span) => span.name === name) as ReadableSpan;

  it('is a span of the one that it is done in', async () => {
    const root = await recorded(async (span) => {
      const other = inSpan(describeAs('other'), () => sleep(1));
      await inSpan(describeAs('outer'), async () => {
        await sleep(1);
        return inSpan(describeAs('inner'), async (inner) => inner?.set({ 'a.b': 1 }));
      });
      await other;
      return span.spanContext();
    });
    const parentOf = (name: string) => called(name).parentSpanContext?.spanId;
    expect(hasTracerProvider()).toBe(true);
    expect([parentOf('other'), parentOf('outer')]).toEqual([root.spanId, root.spanId]);
    expect(parentOf('inner')).toBe(called('outer').spanContext().spanId);
    expect(called('inner').attributes).toEqual({ 'a.b': 1 });
    expect(called('inner').instrumentationScope.name).toBe('gatehouse');
  });

  it('is the parent of what it asks of others', async () => {
    const asked = await recorded(() => inSpan(describeAs('ask'), async () => traceHeaders()));
    const { traceId, spanId } = called('ask').spanContext();
    expect(asked).toEqual({ traceparent: `00-${traceId}-${spanId}-01` });
  });

  it.each([
    ['code', Object.assign(new Error('secret'), { code: '23505' }), '23505'],
    ['name', new TypeError('secret'), 'TypeError'],
    [
      'name, where its code is a number',
      new DOMException('secret', 'TimeoutError'),
      'TimeoutError',
    ],
    ['nothing else', Object.assign(new Error(), { name: 'said: secret' }), 'Error'],
    ['nothing', 'secret', 'Error'],
  ])('says of an error its %s', async (_what, error, type) => {
    const failed = recorded(() => inSpan(describeAs('failing'), () => Promise.reject(error)));
    await expect(failed).rejects.toBe(error);
    const { attributes, status, events } = called('failing');
    expect(attributes).toEqual({ 'error.type': type });
    expect([status, events]).toEqual([{ code: SpanStatusCode.ERROR }, []]);
  });

  it('may say itself that it failed, once', async () => {
    const work = async (span?: { end(why?: string): void }) => {
      span?.end('failed');
      span?.end('twice');
    };
    await recorded(() => inSpan(describeAs('failing'), work));
    expect(spans().map(({ attributes }) => attributes)).toEqual([{ 'error.type': 'failed' }]);
  });

  it('may have begun, and leaves its error to those who wait for it', async () => {
    const error = new RangeError();
    const work = Promise.reject(error);
    recorded(() => followInSpan(describeAs('begun'), work));
    await expect(work).rejects.toBe(error);
    expect(called('begun').attributes).toEqual({ 'error.type': 'RangeError' });
  });

  it('has nothing below it when it is a leaf, or has ended', async () => {
    const late = Promise.withResolvers<void>();
    let after: Promise<unknown> | undefined;
    await recorded(() =>
      inSpan(describeAs('outer'), async () => {
        after = late.promise.then(() => inSpan(describeAs('late'), async () => {}));
        return inSpan(describeAs('leaf', true), () => inSpan(describeAs('below'), async () => {}));
      }),
    );
    late.resolve();
    await after;
    expect(spans().map(({ name }) => name)).toEqual(['leaf', 'outer']);
  });

  it('is one of 500 of a request at most', async () => {
    await recorded(async () => {
      for (let n = 0; n < 600; n += 1) await inSpan(describeAs('one'), async () => {});
    });
    expect(spans()).toHaveLength(500);
  });

  it('is part of no trace where it is about what a stranger named', async () => {
    const told = await recorded(() =>
      untraced(() => inSpan(describeAs('fetch'), async () => trace.getActiveSpan()?.spanContext())),
    );
    expect(spans()).toEqual([]);
    expect(told && trace.isSpanContextValid(told)).toBe(false);
  });
});

describe('the span of a request to another service', () => {
  it.each([
    ['https://ask.example/hook/secret?key=secret', 443, 'https://ask.example/REDACTED'],
    ['http://ann:secret@10.0.0.1:8080/', 8080, 'http://10.0.0.1:8080/REDACTED'],
  ])('of %s has its address alone', (address, port, full) => {
    const { name, kind, attributes } = httpSpan('POST', new URL(address));
    expect([name, kind]).toEqual(['POST', 'client']);
    expect(attributes).toEqual({
      'http.request.method': 'POST',
      'server.address': new URL(address).hostname,
      'server.port': port,
      'url.full': full,
    });
  });
});
