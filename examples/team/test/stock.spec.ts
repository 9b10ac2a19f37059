import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Browser, type Gatehouse, startGatehouse } from 'gatehouse/testing';
import { extension } from '../src/acme.extension.js';
import { StockService } from '../src/stock.service.js';

describe('a shopping list', () => {
  let stock: Server;
  let gatehouse: Gatehouse;
  let browser: Browser;
  /** What the stock service was asked, each with the trace that it is a part of. */
  let asked: [string | undefined, unknown][];

  beforeAll(async () => {
    // The stock service, and the collector to which traces go.
    stock = createServer((request, response) => {
      if (request.method === 'GET') asked.push([request.url, request.headers['traceparent']]);
      response.end('3');
    });
    await once(stock.listen(0, '127.0.0.1'), 'listening');
    const address = `http://127.0.0.1:${(stock.address() as AddressInfo).port}`;
    gatehouse = await startGatehouse({
      extensions: [extension],
      variables: { OTEL_EXPORTER_OTLP_ENDPOINT: address },
    });
    gatehouse.app.get(StockService, { strict: false }).address = address;
  });
  beforeEach(async () => {
    asked = [];
    browser = new Browser(gatehouse);
    await browser.signUp('Ann');
  });
  afterAll(async () => {
    await gatehouse.stop();
    stock.closeAllConnections();
    stock.close();
  });

  const send = (list: string) =>
    browser.post('/acme/stock/missing', list, { 'content-type': 'text/csv' });

  it('is answered by the stock service, which sees the trace of the request', async () => {
    const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${traceId}-00f067aa0ba902b7-01` };
    const answer = await browser.post('/acme/stock/missing', 'small,3\nlarge,4\n', headers);
    expect(answer.json()).toEqual({ missing: ['large'] });
    const traceparent = expect.stringMatching(`^00-${traceId}-[0-9a-f]{16}-01$`);
    expect(asked).toEqual([
      ['/anvils/small', traceparent],
      ['/anvils/large', traceparent],
    ]);
  });

  it('has a known size and a number in each line', async () => {
    expect((await send('../large,1')).status).toBe(400);
    expect(asked).toEqual([]);
  });

  it('is short, and of a signed-in person', async () => {
    expect((await send('small,1\n'.repeat(33))).status).toBe(413);
    await browser.post('/svc/auth/logout');
    expect((await send('small,1')).status).toBe(401);
    expect(asked).toEqual([]);
  });
});
