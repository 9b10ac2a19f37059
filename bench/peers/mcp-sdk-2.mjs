// @modelcontextprotocol/server 2.x without sessions, as its documentation has it: a server and a transport per request.
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { tools } from './tools.mjs';

function createServer() {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const tool of tools()) server.registerTool(...tool);
  return server;
}

async function answer(request, response) {
  const server = createServer();
  const transport = new NodeStreamableHTTPServerTransport({
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
app.post('/svc/mcp', (request, response) => answer(request, response));
app.listen(Number(process.env.PORT), '127.0.0.1');
