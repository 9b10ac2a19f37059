import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { Admin } from '../support/admin.js';
import { eventually } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { ConnectedApp } from './connected-app.js';

/** The request body that docs/reference/configuration.md shows. */
const [, documented = ''] =
  /^```http\n([^]+?)^```$/m.exec(
    readFileSync(new URL('../../docs/reference/configuration.md', import.meta.url), 'utf8'),
  ) ?? [];

describe('screening by a web service', () => {
  let service: Server;
  let answer: RequestListener;
  let gatehouse: Gatehouse;
  let app: ConnectedApp;
  let tab: TabClient;

  const arrived = async () => {
    await tab.settle();
    return tab.received('message').map(({ data }) => data['body']);
  };

  beforeAll(async () => {
    service = createServer((request, response) => answer(request, response));
    service.listen(0, '127.0.0.1');
    await once(service, 'listening');
    const { port } = service.address() as AddressInfo;
    gatehouse = await startGatehouse({ SCREENING_WEBHOOK_URL: `http://127.0.0.1:${port}/screen` });
  });
  beforeEach(async () => {
    app = await ConnectedApp.connect(gatehouse);
    tab = await TabClient.open(gatehouse, app.browser);
  });
  afterEach(() => tab.close());
  afterAll(async () => {
    await gatehouse.stop();
    service.closeAllConnections();
    service.close();
  });

  it('is asked as documented', async () => {
    let asked = '';
    answer = async (request, response) => {
      const { traceparent, 'content-type': type } = request.headers;
      const members = Object.keys((await json(request)) as object).map((name) => `"${name}": "…"`);
      asked = `${request.method} <SCREENING_WEBHOOK_URL>
Content-Type: ${type}
traceparent: ${traceparent}

{ ${members.join(', ')} }
`;
      response.end('{"allowed":true}');
    };
    await app.have('send_message', { body: 'hello' });
    const plain = (text: string) =>
      text.replaceAll(/[0-9a-f]{16,}/g, '<id>').replaceAll(/: "[^"]*"/g, ': "…"');
    expect(plain(asked)).toBe(plain(documented));
  });

  it('goes by its answer, whatever the words', async () => {
    const seen: unknown[] = [];
    answer = async (request, response) => {
      const content = (await json(request)) as { text: string };
      seen.push(content);
      response.end(JSON.stringify({ allowed: content.text !== 'no\nway' }));
    };
    await app.have('send_message', { body: 'bloody shit' });
    expect(await app.refusal('send_message', { body: ['no', 'way'] })).toMatch(/does not allow/);
    expect(await arrived()).toEqual(['bloody shit']);
    const userId = (await app.browser.me()).user?.id;
    expect(seen).toEqual([
      { userId, app: 'Test App', text: 'bloody shit' },
      { userId, app: 'Test App', text: 'no\nway' },
    ]);
    expect(await app.used()).toBe(2);
  });

  // Every failure of the service is tested in webhook-screener.spec.ts.
  it('lets nothing through, for nothing, while it does not answer', async () => {
    answer = () => {};
    const sentence = await app.refusal('send_message', { body: 'hello' });
    expect(sentence).toMatch(/cannot be screened right now.*nothing charged; try again later/);
    expect(await arrived()).toEqual([]);
    expect(await app.used()).toBe(0);
  });

  it('lets nothing through for a caller who hung up meanwhile, and costs what it began', async () => {
    const asked = Promise.withResolvers<ServerResponse>();
    answer = (_request, response) => asked.resolve(response);
    const caller = new AbortController();
    const params = { name: 'send_message', arguments: { body: 'late' } };
    const message = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const call = app.sendText(message, caller.signal).catch(() => 'cut off');
    const screening = await asked.promise;
    caller.abort();
    await eventually(() => expect(screening.destroyed).toBe(true));
    expect(await call).toBe('cut off');
    const user = (await app.browser.me()).user?.id ?? '';
    await eventually(async () => {
      const args = ['audit', 'list', '--user', user, '--type', 'tool-called'];
      const { items } = await new Admin(gatehouse).json<{ items: object[] }>(...args);
      expect(items).toMatchObject([{ detail: 'send_message: cancelled' }]);
    });
    expect(await arrived()).toEqual([]);
    expect(await app.used()).toBe(1);
  });
});
