// @modelcontextprotocol/server 2.x by its own handler, which makes a server for each request.
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import express from 'express';
import { requireBearer } from './bearer.mjs';
import { tools } from './tools.mjs';

const handler = createMcpHandler(() => {
  const server = new McpServer({ name: 'bench', version: '1.0.0' });
  for (const tool of tools()) server.registerTool(...tool);
  return server;
});
const answer = toNodeHandler(handler);

const app = express();
app.use(express.json());
app.get('/', (_request, response) => response.end());
app.use(requireBearer);
app.post('/svc/mcp', (request, response) => answer(request, response, request.body));
app.listen(Number(process.env.PORT), '127.0.0.1');
