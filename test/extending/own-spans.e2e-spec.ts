import { Controller, Get, Module } from '@nestjs/common';
import { trace } from '@opentelemetry/api';
import { inSpan, traceHeaders } from '#server';
import { Browser } from '../support/browser.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TraceCollector } from '../support/trace-collector.js';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';

/** A team's controller that calls a service of the team. */
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

  @Get('/acme/shelf')
  async count() {
    return trace.getTracer('acme').startActiveSpan('count', async (span) => {
      await inSpan(
        () => ({ name: 'shelf', kind: 'internal' }),
        async () => {},
      );
      span.end();
      return {};
    });
  }
}

@Module({ controllers: [StockController] })
class StockModule {}

describe('spans of a team', () => {
  let collector: TraceCollector;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    collector = await TraceCollector.start();
    gatehouse = await startGatehouse(collector.variables, undefined, [
      { modules: () => [StockModule] },
    ]);
  });
  afterAll(async () => {
    await gatehouse.stop();
    await collector.stop();
  });

  const spansOf = async (...names: string[]) => {
    const found = () => names.map((name) => collector.spans.find((span) => span.name === name));
    await eventually(() => expect(found()).not.toContain(undefined));
    return found();
  };

  it('are among those of the request, and parents of what it asks', async () => {
    const traceparent = `00-${ID}-00f067aa0ba902b7-01`;
    const answer = await new Browser(gatehouse).get('/acme/stock', { traceparent });
    const [stock, request] = await spansOf('stock', 'GET /acme/stock');
    expect(request?.traceId).toBe(ID);
    expect(stock).toMatchObject({ traceId: ID, parentSpanId: request?.spanId });
    expect(stock?.attributes).toEqual({ 'acme.shelf': 7, 'acme.found': 3 });
    expect(answer.json()).toEqual({ traceparent: `00-${ID}-${stock?.spanId}-01` });
  });

  it('may be begun by OpenTelemetry itself, and have ours below them', async () => {
    await new Browser(gatehouse).get('/acme/shelf');
    const [shelf, count, request] = await spansOf('shelf', 'count', 'GET /acme/shelf');
    expect(count).toMatchObject({ scope: 'acme', parentSpanId: request?.spanId });
    expect(shelf).toMatchObject({ scope: 'gatehouse', parentSpanId: count?.spanId });
  });
});
