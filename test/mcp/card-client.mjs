// A client of acme_card in a process of its own: `node card-client.mjs <1|2> <url> <token>`.
// Each message { dots, cancelAt? } is a call; its answer is { heard, answer } or { heard, failure }.
import * as modern from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';

const [sdk, url, token] = process.argv.slice(2);
const identity = { name: 'card-client', version: '1' };
const options = { requestInit: { headers: { Authorization: `Bearer ${token}` } } };

const client =
  sdk === '1'
    ? new Client(identity)
    : new modern.Client(identity, { versionNegotiation: { mode: 'auto' } });
const Transport =
  sdk === '1' ? StreamableHTTPClientTransport : modern.StreamableHTTPClientTransport;
await client.connect(new Transport(new URL(url), options));

async function call({ dots, cancelAt }) {
  const heard = [];
  const cancel = new AbortController();
  const callOptions = {
    signal: cancel.signal,
    onprogress: ({ progress }) => {
      heard.push(progress);
      if (progress === cancelAt) cancel.abort('enough');
    },
  };
  const tool = { name: 'acme_card', arguments: { dots } };
  try {
    const answer = await (sdk === '1'
      ? client.callTool(tool, undefined, callOptions)
      : client.callTool(tool, callOptions));
    return { heard, answer };
  } catch (error) {
    return { heard, failure: String(error) };
  }
}

process.on('message', async (message) => process.send(await call(message)));
process.send({ ready: true });
