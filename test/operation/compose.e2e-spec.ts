import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { parse } from 'yaml';
import { ServerProcess } from '../support/built-server.js';
import { call } from '../support/http.js';
import { findFreePort, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

const run = promisify(execFile);
const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8');

interface Service {
  readonly command?: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly healthcheck: { readonly test: readonly string[] };
}

/** The values that `docker compose` fills in where no variable is set. */
const { services } = parse(
  read('docker-compose.yml')
    .replaceAll(/\$\{\w+:-([^}]*)\}/g, '$1')
    .replaceAll('$$', '$'),
  { merge: true },
) as { readonly services: Readonly<Record<'server-1' | 'redis', Service>> };

/** The image's variables for its listeners. */
const image = Object.fromEntries(
  [...read('Dockerfile').matchAll(/\b((?:MANAGEMENT_)?(?:HOST|PORT))=(\S+)/g)].map(
    ([, name = '', value = '']) => [name, value],
  ),
);

const onServers = globalThis.STORAGE === 'postgres' ? describe : describe.skip;

onServers('a replica of docker-compose.yml, as a process (postgres only)', () => {
  let storage: TestStorage;
  let redis: RedisServer;
  let server: ServerProcess;
  let port: number;

  beforeAll(async () => {
    storage = await storageForTests();
    const [, ...args] = services.redis.command ?? [];
    redis = await startRedisServer(undefined, args);
    port = await findFreePort();
    const { environment } = services['server-1'];
    server = new ServerProcess({
      ...image,
      ...environment,
      ...storage.environment,
      PORT: '0',
      MANAGEMENT_PORT: String(port),
      REDIS_URL: environment['REDIS_URL']?.replace('redis:6379', `127.0.0.1:${redis.port}`) ?? '',
    });
    await server.port();
  });
  afterAll(async () => {
    await server.kill();
    await redis.stop();
    await storage.dispose();
  });

  const get = (path: string, host: string) =>
    call(port, { method: 'GET', path, headers: { host } });

  it('serves metrics to Prometheus under its name on the network, and under no other name', async () => {
    expect(image['MANAGEMENT_HOST']).toBe('0.0.0.0');
    expect(server.stdout).toContain(`/metrics are on 0.0.0.0 port ${port}`);
    const { text } = await get('/metrics', 'server-1:9090');
    expect(text).toContain('gatehouse_dependency_up{dependency="redis"} 1');
    expect((await get('/metrics', 'localhost.evil.example:9090')).status).toBe(421);
  });

  it('is found well by its health check', async () => {
    const [kind, command = '', ...args] = services['server-1'].healthcheck.test;
    expect([kind, command]).toEqual(['CMD', 'node']);
    const env = { MANAGEMENT_PORT: String(port) };
    await expect(run(process.execPath, args, { env })).resolves.toBeDefined();
    const elsewhere = { MANAGEMENT_PORT: String(await findFreePort()) };
    await expect(run(process.execPath, args, { env: elsewhere })).rejects.toBeDefined();
  });

  it('signs in to a Redis that lets in none without its password, which the health check has', async () => {
    const [kind, line = ''] = services.redis.healthcheck.test;
    expect(kind).toBe('CMD-SHELL');
    const there = line.replace('redis-cli', `redis-cli -p ${redis.port}`);
    const check = (env: Readonly<Record<string, string>>) =>
      run('sh', ['-c', there], { env: { PATH: process.env['PATH'] ?? '', ...env } });
    await expect(check(services.redis.environment)).resolves.toBeDefined();
    await expect(check({})).rejects.toBeDefined();
  });
});
