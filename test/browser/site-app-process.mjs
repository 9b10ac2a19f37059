// An MCP client in a process of its own: the client SDK and the OAuth flow that is built into it.
// Each `{ name, arguments }` is a tool to call, answered with `{ result, token }` or `{ failure }`.
import {
  Client,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import { known, Memory } from '../clients/drivers/memory.mjs';

const memory = new Memory();
let client;
let transport;

async function connect() {
  transport = new StreamableHTTPClientTransport(new URL(known.mcpUrl), { authProvider: memory });
  client = new Client(
    { name: 'site-app', version: '1.0.0' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(transport);
}

/** What needs the user fails, is finished with the callback and tried again. */
async function allowed(attempt) {
  try {
    return await attempt();
  } catch (error) {
    if (!(error instanceof UnauthorizedError)) throw error;
    await transport.finishAuth(memory.callback);
    return attempt();
  }
}

async function call(tool) {
  if (!client) await allowed(connect);
  return allowed(() => client.callTool(tool));
}

process.on('disconnect', () => process.exit());
process.on('message', (message) => {
  if (message.name === undefined) return;
  call(message).then(
    (result) => process.send({ result, token: memory.tokens().access_token }),
    (error) => process.send({ failure: String(error.stack) }),
  );
});
