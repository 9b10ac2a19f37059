// @rekog/mcp-nest 2.x without sessions, as its README has it.
import 'reflect-metadata';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { McpController, McpStrategy, StreamableHttpTransport, Tool } from '@rekog/mcp-nest';
import { requireBearer } from './bearer.mjs';
import { tools } from './tools.mjs';

function Tools() {}
for (const [name, { inputSchema: parameters, ...rest }, handler] of tools()) {
  Object.defineProperty(Tools.prototype, name, { value: handler });
  const descriptor = Object.getOwnPropertyDescriptor(Tools.prototype, name);
  Tool({ name, parameters, ...rest })(Tools.prototype, name, descriptor);
}
McpController()(Tools);

function App() {}
Module({ controllers: [Tools] })(App);

const transport = new StreamableHttpTransport({ endpoint: '/svc/mcp', enableJsonResponse: true });
const strategy = new McpStrategy({ name: 'bench', version: '1.0.0', transports: [transport] });
const app = await NestFactory.create(App, { logger: false });
app.use((request, response, next) =>
  request.path === '/' ? response.end() : requireBearer(request, response, next),
);
strategy.setHttpAdapter(app.getHttpAdapter());
app.connectMicroservice({ strategy });
await app.startAllMicroservices();
await app.listen(Number(process.env.PORT), '127.0.0.1');
