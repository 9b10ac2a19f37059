// A client of the MCP endpoint in a process of its own: `node sdk-process.mjs <1|2> <url> <token>`.
// Its messages: { method, params } is a request as the SDK has it; { call, cancelAt? } a call of a tool, whose
// answer is { heard, answer } or { heard, failure }.
import * as modern from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [sdk, url, token] = process.argv.slice(2);
const identity = { name: 'tool-client', version: '1' };
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };

const isFirst = sdk === '1';
const client = isFirst
  ? new Client(identity)
  : new modern.Client(identity, { versionNegotiation: { mode: 'auto' } });
const Transport = isFirst ? StreamableHTTPClientTransport : modern.StreamableHTTPClientTransport;
await client.connect(new Transport(new URL(url), options));

async function call({ call: tool, cancelAt }) {
  const heard = [];
  const cancel = new AbortController();
  const callOptions = {
    signal: cancel.signal,
    onprogress: ({ progress }) => {
      heard.push(progress);
      if (progress === cancelAt) cancel.abort('enough');
    },
  };
  try {
    const answer = await (isFirst
      ? client.callTool(tool, undefined, callOptions)
      : client.callTool(tool, callOptions));
    return { heard, answer };
  } catch (error) {
    return { heard, failure: String(error) };
  }
}

process.on('message', async (message) => {
  process.send(
    'call' in message ? await call(message) : await client[message.method](message.params),
  );
});
process.send({ ready: true });
