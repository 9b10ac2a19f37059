// A client of the MCP endpoint in a process of its own: `node sdk-process.mjs <1|2|ai-sdk> <url> <token>`.
// Its messages: { method, params } is a request as the client has it; { call, cancelAt? } a call of a tool,
// whose answer is { heard, answer } or { heard, failure }; { cancel } gives that call up. `2-url` opens addresses: it
// sends { elicited } and waits for { action }.
import { createMCPClient } from '@ai-sdk/mcp';
import * as modern from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [which, address, token] = process.argv.slice(2);
const identity = { name: 'tool-client', version: '1' };
const headers = { Authorization: `Bearer ${token}` };
const url = new URL(address);
const options = { requestInit: { headers } };

/** What each takes to get a client, and to have it call a tool. */
const clients = {
  async 1() {
    const client = new Client(identity);
    await client.connect(new StreamableHTTPClientTransport(url, options));
    return { client, callTool: (tool, about) => client.callTool(tool, undefined, about) };
  },
  async 2() {
    const client = new modern.Client(identity, { versionNegotiation: { mode: 'auto' } });
    await client.connect(new modern.StreamableHTTPClientTransport(url, options));
    return { client, callTool: (tool, about) => client.callTool(tool, about) };
  },
  async '2-url'() {
    const negotiated = { versionNegotiation: { mode: 'auto' } };
    const client = new modern.Client(identity, {
      ...negotiated,
      capabilities: { elicitation: { url: {} } },
    });
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      process.send({ elicited: params });
      return { action: await new Promise((resolve) => (open = resolve)) };
    });
    await client.connect(new modern.StreamableHTTPClientTransport(url, options));
    return { client, callTool: (tool, about) => client.callTool(tool, about) };
  },
  /** Written without an SDK of the protocol's authors; it asks for no progress. */
  async 'ai-sdk'() {
    const client = await createMCPClient({ transport: { type: 'http', url: url.href, headers } });
    const callTool = async ({ name, arguments: args }, { signal }) => {
      const tools = await client.tools();
      return tools[name].execute(args, { messages: [], toolCallId: '1', abortSignal: signal });
    };
    return { client, callTool };
  },
};

/** Answers the question to open an address. */
let open = () => undefined;

const { client, callTool } = await clients[which]();
let cancel = new AbortController();

async function call({ call: tool, cancelAt }) {
  const heard = [];
  cancel = new AbortController();
  const about = {
    signal: cancel.signal,
    onprogress: ({ progress }) => {
      heard.push(progress);
      if (progress === cancelAt) cancel.abort('enough');
    },
  };
  try {
    return { heard, answer: await callTool(tool, about) };
  } catch (error) {
    return { heard, failure: String(error) };
  }
}

process.on('message', async (message) => {
  if ('action' in message) return open(message.action);
  if ('cancel' in message) return cancel.abort('enough');
  process.send(
    'call' in message ? await call(message) : await client[message.method](message.params),
  );
});
process.send({ ready: true });
