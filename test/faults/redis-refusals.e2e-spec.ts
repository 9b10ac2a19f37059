import { Redis } from 'ioredis';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { parseMetrics, valueOf } from '../operation/metrics-text.js';
import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { askManagement } from '../support/management.js';
import { Relay } from '../support/relay.js';
import { TabClient } from '../support/tab-client.js';

const MANY = '10000';
const RUN = { code: 'return 1' };

const usesRedis = globalThis.STORAGE !== 'embedded';
const describeWithRedis = usesRedis ? describe : describe.skip;

describeWithRedis('with a Redis that is there and refuses (embedded storage has none)', () => {
  let redis: RedisServer;
  let direct: Redis;
  let gatehouse: Gatehouse;
  let app: ConnectedApp;

  beforeAll(async () => {
    redis = await startRedisServer();
    direct = new Redis(redis.url);
    gatehouse = await startGatehouse({ REDIS_URL: redis.url, MANAGEMENT_PORT: '0' });
    app = await ConnectedApp.connect(gatehouse);
  });
  afterAll(async () => {
    direct.disconnect();
    await gatehouse.stop();
    await redis.stop();
  });

  const set = (name: string, value: string) => direct.config('SET', name, value);
  const beginSignUp = () =>
    new Browser(gatehouse).post('/svc/auth/register/options', { displayName: 'Bea' });
  const until = (status: number) =>
    eventually(async () => expect((await beginSignUp()).status).toBe(status));

  /** How many writes Redis has refused for that reason, according to `/metrics`. */
  const refusedWrites = async (reason: string) => {
    const { text } = await askManagement(gatehouse, '/metrics');
    const labels = { storage: 'redis', reason };
    return valueOf(parseMetrics(text), 'gatehouse_refused_writes_total', labels);
  };

  const refusals = [
    {
      counted: 'read-only',
      reason: 'it is a read-only replica (READONLY)',
      begin: () => direct.replicaof('127.0.0.1', redis.port),
      end: () => direct.replicaof('NO', 'ONE'),
    },
    {
      counted: 'full',
      reason: 'its memory is full (OOM)',
      begin: () => set('maxmemory', '1'),
      end: () => set('maxmemory', '0'),
    },
    {
      reason: 'it has no room for another client',
      begin: async () => {
        await set('maxclients', '1');
        await direct.client('KILL', 'TYPE', 'normal');
        await direct.client('KILL', 'TYPE', 'pubsub');
      },
      end: () => set('maxclients', MANY),
    },
  ];

  it.each(refusals)(
    '$reason: what needs it is 503, people sign in, what is connected goes on, and it comes back',
    async ({ begin, end, counted }) => {
      const before = await refusedWrites(counted ?? 'io');
      const response = await app.browser.assert();
      await begin();
      await until(503);
      const answer = await beginSignUp();
      expect(answer.status).toBe(503);
      const isCounted = (await refusedWrites(counted ?? 'io')) > before;
      expect(isCounted).toBe(counted !== undefined);
      expect(answer.headers['retry-after']).toMatch(/^\d+$/);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.json()['error']).toContain('try again');
      expect(answer.text).not.toMatch(/redis|READONLY|OOM|maxmemory|clients/i);
      expect((await new Browser(gatehouse, app.browser.authenticator).signIn()).status).toBe(200);
      expect((await app.browser.me()).user).not.toBeNull();
      expect((await app.send('tools/list')).status).toBe(200);
      expect(await app.refusal('run_code', RUN)).toContain('try again later');
      const refused = await TabClient.dial(gatehouse, app.browser).closed;
      expect(refused.code).toBe(1013);

      await end();
      await until(200);
      const late = await app.browser.post('/svc/auth/login/verify', response);
      expect(late.status).toBe(200);
      expect(await app.have('run_code', RUN)).toMatchObject({ value: 1 });
      const tab = await eventually(() => TabClient.open(gatehouse, app.browser));
      await tab.sees(tab);
      await tab.close();
    },
  );
});

describeWithRedis(
  'with two Redis behind one address that swap roles (embedded storage has none)',
  () => {
    let servers: [RedisServer, RedisServer];
    let admins: [Redis, Redis];
    let relay: Relay;
    let gatehouse: Gatehouse;

    beforeAll(async () => {
      const first = await startRedisServer();
      const second = await startRedisServer(undefined, ['--replicaof', `127.0.0.1 ${first.port}`]);
      servers = [first, second];
      admins = [new Redis(first.url), new Redis(second.url)];
      relay = await Relay.to(first.port);
      gatehouse = await startGatehouse({
        REDIS_URL: relay.instead(first.url),
        MANAGEMENT_PORT: '0',
      });
      await eventually(async () => expect(await admins[1].role()).toContain('connected'));
    });
    afterAll(async () => {
      for (const admin of admins) admin.disconnect();
      await gatehouse.stop();
      await relay.cut();
      await Promise.all(servers.map((server) => server.stop()));
    });

    const readiness = async () => {
      const { status, json } = await askManagement(gatehouse, '/readyz');
      return { status, redis: json<{ dependencies: { redis: object } }>().dependencies.redis };
    };
    const signUp = () =>
      new Browser(gatehouse).post('/svc/auth/register/options', { displayName: 'Bea' });

    it('a connection that was kept says that it takes no writes, and is opened again', async () => {
      expect((await signUp()).status).toBe(200);
      expect((await readiness()).redis).toEqual({ status: 'up', durationMs: expect.any(Number) });

      await admins[1].replicaof('NO', 'ONE');
      await admins[0].replicaof('127.0.0.1', servers[1].port);
      await eventually(async () => {
        expect(await readiness()).toMatchObject({ status: 200, redis: { readOnly: true } });
      });
      expect((await signUp()).status).toBe(503);

      relay.leadTo(servers[1].port);
      await eventually(async () => expect((await signUp()).status).toBe(200));
      await eventually(async () =>
        expect((await readiness()).redis).not.toHaveProperty('readOnly'),
      );
    });
  },
);
