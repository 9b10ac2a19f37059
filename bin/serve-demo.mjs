// The reverse proxy of `npm run demo`: the site's own files, and the service for its paths.
import { once } from 'node:events';
import { createServer, ServerResponse } from 'node:http';
import { createProxyServer } from 'httpxy';
import { builtEntry } from './build-when-stale.mjs';
import { serveFile } from './site-files.mjs';

const LOOPBACK = '127.0.0.1';

const isForService = ({ url }) =>
  /^\/(svc\/|\.well-known\/(oauth-|passkey-endpoints(\?|$)))/.test(url);

/** Other upgrades, such as to HTTP/2, are offers that need not be taken: the request is answered. */
const isWebSocket = ({ method, headers }) =>
  method === 'GET' && headers.upgrade?.toLowerCase() === 'websocket';

async function listen(server, port) {
  server.listen({ port, host: LOOPBACK });
  await once(server, 'listening');
  return server.address().port;
}

async function findFreePort() {
  const server = createServer();
  const port = await listen(server, 0);
  await server[Symbol.asyncDispose]();
  return port;
}

/** Says where the visitor came from and went to, in place of anything that the visitor said. */
function forwarded(request) {
  request.headers['x-forwarded-for'] = request.socket.remoteAddress;
  request.headers['x-forwarded-host'] = request.headers.host;
  request.headers['x-forwarded-proto'] = 'http';
  return request;
}

function serveBoth(server, servicePort) {
  const proxy = createProxyServer({ target: `http://${LOOPBACK}:${servicePort}` });
  proxy.on('error', (_error, _request, response) => {
    const canAnswer = response instanceof ServerResponse && !response.headersSent;
    if (canAnswer) response.writeHead(502).end('the service does not answer\n');
    else response?.destroy();
  });
  // A visitor who hangs up in the middle is no failure.
  const ignore = () => {};
  server.on('request', (request, response) => {
    if (isForService(request)) proxy.web(forwarded(request), response).catch(ignore);
    else serveFile(request, response).catch(() => response.destroy());
  });
  server.on('upgrade', (request, socket, head) => {
    socket.on('error', () => socket.destroy());
    if (isForService(request)) proxy.ws(forwarded(request), socket, {}, head).catch(ignore);
    else socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n');
  });
}

function explain({ code, message }, port) {
  if (code === 'ERR_SOCKET_BAD_PORT') return 'PORT takes a number from 0 to 65535.';
  if (code !== 'EADDRINUSE') return `Cannot listen on port ${port}: ${message}`;
  return `Port ${port} is taken by another program. Choose another one: PORT=${Number(port) + 1} npm run demo`;
}

/**
 * The service runs in this process: they end together, however that comes about, and on Ctrl-C the
 * service closes the connections before.
 */
export async function serveDemo() {
  // Answers of the service say 75 seconds to their reader, which is us.
  const site = createServer({ keepAliveTimeout: 80_000, shouldUpgradeCallback: isWebSocket });
  const wanted = process.env.PORT || '8080';
  const port = await listen(site, wanted).catch((error) => {
    console.error(explain(error, wanted));
    process.exit(1);
  });

  const servicePort = await findFreePort();
  Object.assign(process.env, { PORT: servicePort, HOST: LOOPBACK, TRUSTED_PROXIES: 'loopback' });
  process.env.LOG_LEVEL ||= 'warn';
  process.env.SHUTDOWN_GRACE ||= '1';
  serveBoth(site, servicePort);
  const { start } = await import(builtEntry('start.js'));
  await start([], { port });

  // Not the console: what is said there goes into the log of the service now.
  process.stdout.write(`
Open this page      http://localhost:${port}
Your account        http://localhost:${port}/svc/account
MCP address         http://localhost:${port}/svc/mcp
To connect Claude   claude mcp add --transport http gatehouse http://localhost:${port}/svc/mcp
To stop             Ctrl-C
`);
}
