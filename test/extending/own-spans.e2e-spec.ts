import { Controller, Get, Module } from '@nestjs/common';
import { inSpan, traceHeaders } from '#server';
import { Browser } from '../support/browser.js';
import { eventually } from '../support/eventually.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { attributesOf, TraceCollector } from '../support/trace-collector.js';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** As a team asks a service of its own. */
@Controller()
class StockController {
  @Get('/acme/stock')
  read() {
    return inSpan(
      () => ({ name: 'stock', kind: 'client', attributes: { 'acme.shelf': 7 } }),
      async (span) => {
        span?.set({ 'acme.found': 3 });
        return traceHeaders();
      },
    );
  }
}

@Module({ controllers: [StockController] })
class StockModule {}

describe('spans of a team', () => {
  let collector: TraceCollector;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    gatehouse = await startGatehouse({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.origin }, undefined, [
      { modules: () => [StockModule] },
    ]);
  });
  afterAll(async () => {
    await gatehouse.stop();
    await collector.stop();
  });

  it('are among those of the request, and parents of what it asks', async () => {
    const traceparent = `00-${ID}-00f067aa0ba902b7-01`;
    const answer = await new Browser(gatehouse).get('/acme/stock', { traceparent });
    await eventually(() => expect(collector.spans).toHaveLength(2));
    const [stock, request] = collector.spans;
    expect(request).toMatchObject({ name: 'GET /acme/stock', traceId: ID });
    expect(stock).toMatchObject({ name: 'stock', parentSpanId: request?.spanId });
    expect(stock && attributesOf(stock)).toEqual({ 'acme.shelf': '7', 'acme.found': '3' });
    expect(answer.json()).toEqual({ traceparent: `00-${ID}-${stock?.spanId}-01` });
  });
});
