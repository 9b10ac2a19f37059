import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { TabClient } from '../support/tab-client.js';
import { ConnectedApp } from './connected-app.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'listener', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('changes of what pages offer (contract: Page tools)', () => {
  let gatehouse: Gatehouse;
  let app: ConnectedApp;
  const ended = new AbortController();

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    app = await ConnectedApp.connect(gatehouse);
  });
  afterAll(async () => {
    ended.abort();
    await gatehouse.stop();
  });

  /** The text of a stream up to the given words. */
  async function listen(words: string, begin: () => void): Promise<string> {
    const params = { _meta: META, notifications: { toolsListChanged: true } };
    const { body } = await fetch(`${gatehouse.origin}/svc/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${app.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params }),
      signal: ended.signal,
    });
    let text = '';
    for await (const piece of (body ?? []) as AsyncIterable<Uint8Array>) {
      if (text === '') begin();
      text += Buffer.from(piece).toString();
      if (text.includes(words)) return text;
    }
    throw new Error(`the stream ended: ${text}`);
  }

  it('clients that listen are notified of changed page tools', async () => {
    const tab = await TabClient.open(gatehouse, app.browser);
    const heard = await listen('notifications/tools/list_changed', () =>
      tab.say('tools', { tools: [{ name: 'paint', description: 'Paints.' }] }),
    );
    expect(heard).toContain('list_changed');
    await tab.close();
  });
});
