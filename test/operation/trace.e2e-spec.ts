import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';

const ID = '4bf92f3577b34da6a3ce929d0e0e4736';

describe.each([
  ['a trusted proxy', { TRUSTED_PROXIES: 'loopback' }, '01'],
  ['a stranger', {}, '00'],
])('the trace of a request of %s', (_who, variables, sampled) => {
  let screening: Server;
  let gatehouse: Gatehouse;
  let seen: IncomingHttpHeaders[];

  beforeAll(async () => {
    screening = createServer((request, response) => {
      seen.push(request.headers);
      response.end('{"allowed":true}');
    });
    screening.listen(0, '127.0.0.1');
    await once(screening, 'listening');
    const { port } = screening.address() as AddressInfo;
    gatehouse = await startGatehouse({
      SCREENING_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
      ...variables,
    });
  });
  beforeEach(() => {
    seen = [];
  });
  afterAll(async () => {
    await gatehouse.stop();
    screening.closeAllConnections();
    screening.close();
  });

  const screenedUnder = async (traceparent: string) => {
    const app = await ConnectedApp.connect(gatehouse);
    const answer = await new Browser(gatehouse).send(
      'POST',
      '/svc/mcp',
      {
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'run_code', arguments: { code: 'return 1' } },
      },
      {
        authorization: `Bearer ${app.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        traceparent,
      },
    );
    expect([answer.status, seen.length]).toEqual([200, 1]);
    const id = String(answer.headers['x-request-id']).replaceAll('-', '');
    return { own: id, told: String(seen[0]?.['traceparent']).split('-') };
  };

  it(`goes on to the screening service, with ${sampled} as its flags`, async () => {
    const { told } = await screenedUnder(`00-${ID}-00f067aa0ba902b7-01`);
    expect(told).toEqual(['00', ID, expect.stringMatching(/^[0-9a-f]{16}$/), sampled]);
    expect(told[2]).not.toBe('00f067aa0ba902b7');
  });

  it('is its own where what it came with is malformed', async () => {
    const { own, told } = await screenedUnder(`00-${ID}-0-01`);
    expect(told).toEqual(['00', own, expect.any(String), '00']);
  });
});
