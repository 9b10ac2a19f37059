import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { eventually } from '../../../../../test/support/eventually.js';
import { TraceCollector } from '../../../../../test/support/trace-collector.js';
import type { EndedSpan } from './recorded-span.js';
import { SpanExporter } from './span-exporter.adapter.js';

const span = (name: string): EndedSpan => ({
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  id: '00f067aa0ba902b7',
  parentId: undefined,
  name,
  kind: 'server',
  startMs: 1_795_349_498_871.25,
  endMs: 1_795_349_498_872,
  attributes: { text: 'x', whole: 7, part: 0.5 },
  errorType: undefined,
});

describe('the sending of spans', () => {
  let collector: TraceCollector;
  let lines: string[];
  let exporter: SpanExporter;
  const log = { log: (line: string) => lines.push(line), warn: (line: string) => lines.push(line) };
  const sendTo = (url: string) =>
    (exporter = new SpanExporter({ url, headers: { 'x-key': 'secret' }, resource: {} }, log));

  beforeEach(async () => {
    lines = [];
    collector = await TraceCollector.start();
    sendTo(`${collector.origin}/v1/traces`);
  });
  afterEach(async () => {
    await exporter.close();
    await collector.stop();
  });

  it('has the form of OTLP', async () => {
    exporter.take(span('one'));
    await eventually(() => expect(collector.spans).toHaveLength(1));
    expect(collector.spans[0]).toEqual({
      traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
      spanId: '00f067aa0ba902b7',
      name: 'one',
      kind: 2,
      startTimeUnixNano: '1795349498871250000',
      endTimeUnixNano: '1795349498872000000',
      attributes: [
        { key: 'text', value: { stringValue: 'x' } },
        { key: 'whole', value: { intValue: '7' } },
        { key: 'part', value: { doubleValue: 0.5 } },
      ],
      status: {},
    });
    expect(lines).toEqual([]);
  });

  it('is done again after an answer that may pass, and is told once', async () => {
    collector.status = 503;
    exporter.take(span('kept'));
    await eventually(() => expect(collector.headers.length).toBeGreaterThan(2));
    expect(lines).toEqual([
      expect.stringMatching(/^traces do not arrive at .+: answered with 503$/),
    ]);
    collector.status = 200;
    await eventually(() => expect(collector.spans.map(({ name }) => name)).toEqual(['kept']));
    await eventually(() => expect(lines).toHaveLength(2));
    expect(lines.join()).not.toContain('secret');
  });

  it('is not done again after another refusal', async () => {
    collector.status = 401;
    exporter.take(span('lost'));
    await eventually(() => expect(lines).toHaveLength(1));
    collector.status = 200;
    exporter.take(span('next'));
    await eventually(() => expect(collector.spans.map(({ name }) => name)).toEqual(['next']));
  });

  it('keeps 2,048 of them while nobody takes any', async () => {
    collector.status = 503;
    exporter.take(span('first'));
    await eventually(() => expect(lines).toHaveLength(1));
    for (let n = 0; n < 5000; n += 1) exporter.take(span(String(n)));
    collector.status = 200;
    await exporter.close();
    expect(collector.spans).toHaveLength(2048);
    expect(collector.spans[0]?.name).toBe('first');
  });

  describe('to somebody who never answers', () => {
    let silent: Server;
    beforeEach(async () => {
      silent = createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
    });
    afterEach(() => {
      silent.close();
    });

    it('holds the end up for two seconds', async () => {
      await exporter.close();
      sendTo(`http://127.0.0.1:${(silent.address() as AddressInfo).port}/`);
      exporter.take(span('lost'));
      const startedAt = performance.now();
      await exporter.close();
      expect(performance.now() - startedAt).toBeLessThan(8_000);
      expect(lines).toEqual([expect.stringMatching(/^traces do not arrive at .+: AbortError$/)]);
    });
  });
});
