import { AccountTools } from '#libs/mcp';
import { startTeamApp } from '../extending/team-app.js';
import { Browser } from '../support/browser.js';
import { ChangingTools } from '../support/changing-tools.js';
import { eventually } from '#libs/platform/testing';
import { OAuthClient } from '../support/oauth-client.js';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'spec', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

describe('streams that only listen, of a service that ends (contract: MCP endpoint)', () => {
  const tools = new ChangingTools();
  let started: Awaited<ReturnType<typeof startTeamApp>>;
  let stream: Response;
  let text: string;

  beforeAll(async () => {
    started = await startTeamApp({
      replacements: { mcp: [{ provide: AccountTools, useValue: tools }] },
    });
    const place = { port: started.port, origin: `http://localhost:${started.port}` };
    const browser = new Browser(place);
    await browser.signUp('Ann');
    const client = await OAuthClient.register(place);
    const { access_token: token } = await client.connect(browser, ['account:read']);
    stream = await fetch(`${place.origin}/svc/mcp`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${token}`,
        Accept: 'application/json, text/event-stream',
        'Content-Type': 'application/json',
        'Mcp-Protocol-Version': '2026-07-28',
        'Mcp-Method': 'subscriptions/listen',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 'listen',
        method: 'subscriptions/listen',
        params: { _meta: META, notifications: { toolsListChanged: true } },
      }),
    });
    text = '';
    void stream.body
      ?.pipeThrough(new TextDecoderStream())
      .pipeTo(new WritableStream({ write: (chunk) => void (text += chunk) }));
  });

  it('tell of changes until then, and end with their answer before anything is cut', async () => {
    await eventually(() => expect(tools.listeners.size).toBe(1));
    expect(stream.headers.get('cache-control')).toBe('no-store, no-transform');
    for (const listener of tools.listeners) listener();
    await eventually(() => expect(text).toContain('notifications/tools/list_changed'));
    await started.stop();
    expect(text.trimEnd().split('\n').at(-1)).toContain('"id":"listen"');
    expect(tools.listeners.size).toBe(0);
  });
});
