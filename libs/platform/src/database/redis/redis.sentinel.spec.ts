import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  createServer as createTlsServer,
  getCACertificates,
  setDefaultCACertificates,
} from 'node:tls';
import { Logger } from '@nestjs/common';
import type { Redis } from 'ioredis';
import {
  type Certificate,
  describeWithRedis,
  eventually,
  onFreePort,
  type RedisServer,
  selfSignedCertificate,
  startRedisServer,
} from '../../testing.js';
import { isRedisOutage } from './redis-outage.js';
import { closeRedis, openRedis } from './redis.client.js';

/** Answers like a Sentinel that knows a primary at `port`, or never answers. */
class FakeSentinel {
  asked = 0;
  /** How often it answered with the address of the primary. */
  told = 0;
  private readonly sockets = new Set<Socket>();
  private readonly server: Server;

  constructor(
    public port: number | undefined,
    identity?: Certificate,
  ) {
    const serve = (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('error', () => {});
      socket.on('data', (data) => this.answer(socket, data.toString()));
    };
    this.server = identity
      ? createTlsServer({ cert: identity.certificate, key: identity.privateKey }, serve)
      : createServer(serve);
    this.server.listen(0, '127.0.0.1');
  }

  async address() {
    if (!this.server.listening) await once(this.server, 'listening');
    return `127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  stop() {
    this.server.close();
    for (const socket of this.sockets) socket.destroy();
  }

  private answer(socket: Socket, text: string) {
    this.asked += 1;
    if (this.port === undefined) return;
    for (const [command] of text.matchAll(/get-master-addr-by-name|sentinels\r|client\r/gi)) {
      if (command.startsWith('client')) socket.write('+OK\r\n');
      else if (command.startsWith('sentinels')) socket.write('*0\r\n');
      else this.tell(socket, String(this.port));
    }
  }

  private tell(socket: Socket, port: string) {
    this.told += 1;
    socket.write(`*2\r\n$9\r\n127.0.0.1\r\n$${port.length}\r\n${port}\r\n`);
  }
}

describeWithRedis('a Redis that Sentinels know', () => {
  let nodes: [RedisServer, RedisServer];
  let sentinels: FakeSentinel[] = [];
  let redis: Redis | undefined;

  beforeAll(async () => {
    Logger.overrideLogger(false);
    nodes = [await startRedisServer(), await startRedisServer()];
  });
  afterEach(async () => {
    if (redis) await closeRedis(redis);
    for (const sentinel of sentinels) sentinel.stop();
    redis = undefined;
  });
  afterAll(() => Promise.all(nodes.map((node) => node.stop())));

  async function open(waitMs: number, ...ports: (number | undefined)[]): Promise<Redis> {
    sentinels = ports.map((port) => new FakeSentinel(port));
    const addresses = await Promise.all(sentinels.map((sentinel) => sentinel.address()));
    redis = await openRedis({ url: `redis+sentinel://${addresses.join(',')}/main/2` }, waitMs);
    return redis;
  }
  const portOf = async (client: Redis) => /tcp_port:(\d+)/.exec(await client.info('server'))?.[1];

  it('is found past a Sentinel that says nothing', async () => {
    const client = await open(60_000, undefined, nodes[0].port);
    expect(await portOf(client)).toBe(String(nodes[0].port));
    expect(sentinels[0]?.asked).toBeGreaterThan(0);
    expect(client.options.db).toBe(2);
  });

  it('is not taken where it is but a replica by now, until another one is named', async () => {
    const [former, named] = nodes;
    const admin = await openRedis({ url: former.url }, 60_000);
    await admin.replicaof('127.0.0.1', named.port);
    const client = await open(1, former.port);
    await eventually(() => expect(sentinels[0]?.told).toBeGreaterThan(2));
    const failure = await client.set('key', 'value').catch((error: unknown) => error);
    expect(isRedisOutage(failure)).toBe(true);
    for (const sentinel of sentinels) sentinel.port = named.port;
    await eventually(async () => expect(await portOf(client)).toBe(String(named.port)));
    await admin.replicaof('NO', 'ONE');
    await closeRedis(admin);
  });

  it('is reached by TLS, as its Sentinels are', async () => {
    const identity = selfSignedCertificate(['127.0.0.1']);
    const folder = await mkdtemp(join(tmpdir(), 'redis-tls-'));
    const [certificate, key] = [join(folder, 'certificate.pem'), join(folder, 'key.pem')];
    await writeFile(certificate, identity.certificate);
    await writeFile(key, identity.privateKey);
    const files = ['--tls-cert-file', certificate, '--tls-key-file', key];
    const trust = ['--tls-ca-cert-file', certificate, '--tls-auth-clients', 'no'];
    const node = await onFreePort(async (port) => {
      const listening = ['--port', '0', '--tls-port', String(port)];
      return startRedisServer(port, [...listening, ...files, ...trust]);
    });
    const trusted = getCACertificates('default');
    setDefaultCACertificates([...trusted, identity.certificate]);
    sentinels = [new FakeSentinel(node.port, identity)];
    const url = `rediss+sentinel://${await sentinels[0]?.address()}/main`;
    redis = await openRedis({ url }, 60_000);
    expect(await redis.ping()).toBe('PONG');
    setDefaultCACertificates(trusted);
    await node.stop();
    await rm(folder, { recursive: true });
  });

  it('is waited for, and closed in good order, while no Sentinel is there', async () => {
    const client = await open(1, undefined);
    const failure = await client.ping().catch((error: unknown) => error);
    expect(isRedisOutage(failure)).toBe(true);
    await closeRedis(client);
    await eventually(() => expect(client.status).toBe('end'));
  });
});
