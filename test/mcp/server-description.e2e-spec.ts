import { readFileSync } from 'node:fs';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const VARIABLES = {
  SERVICE_NAME: 'Acme Gate',
  SERVICE_WEBSITE: 'https://acme.example/gate',
  SERVICE_ICONS: 'https://acme.example/icon.svg, https://acme.example/icon.png',
};

const { version } = JSON.parse(
  readFileSync(new URL('../../package.json', import.meta.url), 'utf8'),
) as { version: string };

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};

const SERVER_INFO = {
  name: 'Acme Gate',
  title: 'Acme Gate',
  version,
  websiteUrl: 'https://acme.example/gate',
  icons: [{ src: 'https://acme.example/icon.svg' }, { src: 'https://acme.example/icon.png' }],
};

describe('what the MCP server says of itself (contract: MCP endpoint)', () => {
  let gatehouse: Gatehouse;
  let client: OAuthClient;
  let token: string;

  beforeAll(async () => {
    gatehouse = await startGatehouse(VARIABLES);
    const browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    ({ access_token: token } = await client.connect(browser));
  });
  afterAll(() => gatehouse.stop());

  const instructions = expect.stringMatching(
    /^Acme Gate .*list_tabs.*page_<name>.*Credits: .*account_status.*Consent: /s,
  );

  it('is in initialize', async () => {
    const { result } = (
      await client.mcp(token, 'initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'spec', version: '1' },
      })
    ).json<{ result: object }>();
    expect(result).toMatchObject({ serverInfo: SERVER_INFO, instructions });
  });

  it('is in server/discover', async () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } };
    const answer = await client.post('/svc/mcp', JSON.stringify(message), {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'server/discover',
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    });
    const { result } = answer.json<{ result: object }>();
    expect(result).toMatchObject({
      instructions,
      _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
    });
  });
});
