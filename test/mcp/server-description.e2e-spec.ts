import { readFileSync } from 'node:fs';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { jsonFile } from '../support/json-file.js';
import { MachineClient, MACHINES } from '../support/machine-client.js';
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

interface Said {
  readonly capabilities: object;
  readonly instructions: string;
}

async function initialized(client: Pick<OAuthClient, 'mcp'>, token: string): Promise<Said> {
  const answer = await client.mcp(token, 'initialize', {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'spec', version: '1' },
  });
  return answer.json<{ result: Said }>().result;
}

async function discovered(client: OAuthClient, token: string): Promise<Said> {
  const message = { jsonrpc: '2.0', id: 1, method: 'server/discover', params: { _meta: META } };
  const answer = await client.post('/svc/mcp', JSON.stringify(message), {
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': 'server/discover',
    authorization: `Bearer ${token}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  });
  return answer.json<{ result: Said }>().result;
}

describe('what the MCP server says of itself (contract: MCP endpoint)', () => {
  const gatehouse = useGatehouse(() => startGatehouse(VARIABLES));
  let client: OAuthClient;
  let token: string;

  beforeAll(async () => {
    const browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    ({ access_token: token } = await client.connect(browser));
  });

  const instructions = expect.stringMatching(
    /^Acme Gate .*list_tabs.*page_<name>.*Credits: .*account_status.*Consent: /s,
  );

  it('is in initialize', async () => {
    expect(await initialized(client, token)).toMatchObject({
      serverInfo: SERVER_INFO,
      instructions,
    });
  });

  it('tells a machine client of no person, page or account', async () => {
    const on = { ...VARIABLES, ...MACHINES };
    const other = await startGatehouse(on);
    try {
      const machine = await MachineClient.create(other, new Admin(other, [], on));
      const robot = OAuthClient.published(other, machine.id);
      const given = await machine.token();
      for (const said of [await initialized(robot, given), await discovered(robot, given)]) {
        expect(said.instructions).toMatch(/^Acme Gate .*run_code.*Credits: .*budget of your own/s);
        expect(said.instructions).not.toMatch(/\bperson|list_tabs|account_status|Consent/);
      }
    } finally {
      await other.stop();
    }
  });

  it('is in server/discover', async () => {
    expect(await discovered(client, token)).toMatchObject({
      instructions,
      _meta: { 'io.modelcontextprotocol/serverInfo': SERVER_INFO },
    });
  });
});

const CAPABILITIES = { tools: {}, resources: {}, completions: {} };
const MODERN_CAPABILITIES = {
  tools: { listChanged: true },
  resources: { listChanged: true },
  completions: {},
};
const FOR_MACHINES = { 'io.modelcontextprotocol/oauth-client-credentials': {} };
const FOR_COMPANIES = { 'io.modelcontextprotocol/enterprise-managed-authorization': {} };
const ISSUERS = {
  TRUSTED_ISSUERS_FILE: jsonFile([
    {
      issuer: 'https://idp.example',
      name: 'Acme',
      clients: ['app'],
      scopes: ['account:read'],
      accounts: 'linked',
    },
  ]),
};

describe('what the MCP server can do (contract: MCP endpoint)', () => {
  it.each<[string, Record<string, string>, object]>([
    ['no settings', {}, {}],
    ['machine clients', MACHINES, { extensions: FOR_MACHINES }],
    ['trusted issuers', ISSUERS, { extensions: FOR_COMPANIES }],
    ['both', { ...MACHINES, ...ISSUERS }, { extensions: { ...FOR_MACHINES, ...FOR_COMPANIES } }],
  ])('with %s, to the letter, is the same for apps and machines', async (_what, on, more) => {
    const gatehouse = await startGatehouse(on);
    try {
      const browser = new Browser(gatehouse);
      await browser.signUp();
      const app = await OAuthClient.register(gatehouse);
      const tokens = [(await app.connect(browser)).access_token];
      if ('MACHINE_CLIENTS' in on) {
        const machine = await MachineClient.create(gatehouse, new Admin(gatehouse, [], on));
        tokens.push(await machine.token());
      }
      for (const token of tokens) {
        const modern = { ...MODERN_CAPABILITIES, ...more };
        expect((await discovered(app, token)).capabilities).toEqual(modern);
        expect((await initialized(app, token)).capabilities).toEqual(CAPABILITIES);
      }
    } finally {
      await gatehouse.stop();
    }
  });
});
