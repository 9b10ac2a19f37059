// A machine with an SDK's own provider: `node machine.mjs <1|2> <provider> <url> <options>`. Prints what it saw as JSON.
import * as modern from '@modelcontextprotocol/client';
import * as providers from '@modelcontextprotocol/sdk/client/auth-extensions.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const sdks = { 1: { ...providers, Client, StreamableHTTPClientTransport }, 2: modern };
const [, , version, provider, url, options] = process.argv;
const sdk = sdks[version];
const authProvider = new sdk[provider](JSON.parse(options));
const client = new sdk.Client(
  { name: 'machine', version: '1' },
  { versionNegotiation: { mode: 'auto' } },
);
await client.connect(new sdk.StreamableHTTPClientTransport(new URL(url), { authProvider }));
const { tools } = await client.listTools();
const ran = await client.callTool({ name: 'run_code', arguments: { code: 'return 6 * 7' } });
const seen = {
  extensions: client.getServerCapabilities().extensions ?? null,
  tools: tools.map((tool) => tool.name),
  value: ran.structuredContent.value,
  tokens: Object.keys(authProvider.tokens()),
};
await client.close();
process.stdout.write(JSON.stringify(seen));
