// @modelcontextprotocol/sdk 1.x without sessions, as its documentation has it: a server and a transport per request.
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { requireBearer } from './bearer.mjs';
import { tools } from './tools.mjs';

function createServer() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const [name, { inputSchema, outputSchema, ...rest }, handler] of tools()) {
    const shapes = { inputSchema: inputSchema.shape, outputSchema: outputSchema?.shape };
    server.registerTool(name, { ...rest, ...shapes }, handler);
  }
  return server;
}

async function answer(request, response) {
  const server = createServer();
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: undefined,
    enableJsonResponse: true,
  });
  response.on('close', () => {
    transport.close();
    server.close();
  });
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
}

const app = express();
app.use(express.json());
app.get('/', (_request, response) => response.end());
app.use(requireBearer);
app.post('/svc/mcp', (request, response) => answer(request, response));
app.listen(Number(process.env.PORT), '127.0.0.1');
