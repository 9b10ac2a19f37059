import { once } from 'node:events';
import { createServer, IncomingMessage, type Server, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { queryObjects } from 'node:v8';
import { eventually } from '../../../../test/support/eventually.js';
import { acceptUpgrades, upgradeOf } from './upgrades.js';

const CONNECTIONS = 50;
const UPGRADE =
  'GET /tabs HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n';

describe('an upgraded connection', () => {
  let server: Server;
  let clients: Socket[];

  beforeEach(async () => {
    server = createServer();
    clients = [];
    acceptUpgrades(server, ({ url }) => url === '/tabs');
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterEach(() => {
    for (const client of clients) client.destroy();
    server.close();
  });

  const kept = () =>
    [IncomingMessage, ServerResponse].map((type) => queryObjects(type, { format: 'count' }));

  it('keeps neither its request nor its response', async () => {
    const sockets: Socket[] = [];
    server.on('request', (request) => {
      const upgrade = upgradeOf(request);
      upgrade?.release();
      if (upgrade) sockets.push(upgrade.socket);
    });
    const [requests = 0, responses = 0] = kept();
    const { port } = server.address() as AddressInfo;
    for (let n = 0; n < CONNECTIONS; n += 1) {
      const client = connect(port, '127.0.0.1');
      clients.push(client);
      client.write(UPGRADE);
    }
    await eventually(() => expect(sockets).toHaveLength(CONNECTIONS));
    const [requestsAfter = 0, responsesAfter = 0] = kept();
    expect(requestsAfter - requests).toBeLessThan(CONNECTIONS / 5);
    expect(responsesAfter - responses).toBeLessThan(CONNECTIONS / 5);
    expect(sockets.every(({ destroyed }) => !destroyed)).toBe(true);
  });

  it('ends with its answer, as any other does, where it is refused', async () => {
    const closed = Promise.withResolvers<void>();
    server.on('request', (_request, response) => {
      response.once('close', closed.resolve);
      response.writeHead(403).end();
    });
    const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
    clients.push(client);
    client.resume().write(UPGRADE);
    await once(client, 'close');
    await expect(closed.promise).resolves.toBeUndefined();
  });
});
