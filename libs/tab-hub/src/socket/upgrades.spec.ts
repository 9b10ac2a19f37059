import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { eventually } from '../../../../test/support/eventually.js';
import { collectGarbage } from '../../../../test/support/heap.js';
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

  it('keeps neither its request nor its response', async () => {
    const sockets: Socket[] = [];
    const kept: WeakRef<object>[] = [];
    server.on('request', (request, response) => {
      kept.push(new WeakRef(request), new WeakRef(response));
      const upgrade = upgradeOf(request);
      upgrade?.release();
      if (upgrade) sockets.push(upgrade.socket);
    });
    const { port } = server.address() as AddressInfo;
    for (let n = 0; n < CONNECTIONS; n += 1) {
      const client = connect(port, '127.0.0.1');
      clients.push(client);
      client.write(UPGRADE);
    }
    await eventually(() => expect(sockets).toHaveLength(CONNECTIONS));
    await collectGarbage();
    expect(kept.filter((one) => one.deref() !== undefined).length).toBeLessThan(CONNECTIONS / 5);
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
