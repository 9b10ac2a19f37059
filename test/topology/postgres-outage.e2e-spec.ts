import { Client } from 'pg';
import { Browser } from '../support/browser.js';
import {
  eventually,
  type PostgresServer,
  redisForTests,
  startPostgresServer,
  type TestRedis,
} from '#libs/platform/testing';
import { failures, usedAfterRevoked } from '../support/history.js';
import { LoadDriver } from '../support/load-driver.js';
import { OAuthClient } from '../support/oauth-client.js';
import { describeTopology, Topology } from '../support/topology.js';

const MAX_CONNECTIONS = 30;

describeTopology('two replicas that lose Postgres', () => {
  let postgres: PostgresServer;
  let redis: TestRedis;
  let topology: Topology;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([
      startPostgresServer([
        `max_connections=${MAX_CONNECTIONS}`,
        'superuser_reserved_connections=0',
        'max_wal_senders=0',
        'synchronous_commit=on',
      ]),
      redisForTests(),
    ]);
    topology = await Topology.start({ DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  });
  afterAll(async () => {
    await topology.stop();
    await Promise.all([postgres.stop(), redis.dispose()]);
  });

  /** Opens connections until Postgres refuses further ones; resolves to a function that releases them. */
  async function takeAllConnections() {
    const taken: Client[] = [];
    const take = async () => {
      const client = new Client({ connectionString: postgres.url });
      client.on('error', () => undefined);
      await client.connect();
      taken.push(client);
      return client;
    };
    const first = await take();
    const endOthers = () =>
      first.query(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'gatehouse'`,
      );
    await eventually(async () => {
      await endOthers();
      while (taken.length < MAX_CONNECTIONS) await take();
    });
    return () => Promise.all(taken.map((client) => client.end()));
  }

  it.each([
    [
      'crashed, and started again',
      async () => {
        await postgres.crash();
        return () => postgres.revive();
      },
    ],
    ['out of connections', takeAllConnections],
  ])('%s: 503, no one is signed out, and it comes back by itself', async (_how, lose) => {
    const browser = new Browser(topology);
    await browser.signUp();
    const client = await OAuthClient.register(topology);
    const tokens = await client.connect(browser);
    const restore = await lose();

    const needing = await Promise.all([
      browser.get('/svc/auth/me'),
      browser.get('/svc/me/apps'),
      browser.get(client.authorizePath()),
      client.mcp(tokens.access_token),
      client.refresh(tokens.refresh_token),
      client.mcp(tokens.access_token),
    ]);
    expect(needing.map(({ status }) => status)).toEqual(needing.map(() => 503));
    for (const { headers } of needing) {
      expect(headers['retry-after']).toMatch(/^\d+$/);
      expect(headers['set-cookie']).toBeUndefined();
    }

    await restore();
    await eventually(async () => {
      await browser.agent.get('/svc/auth/me').expect(200);
      await browser.agent.get('/svc/auth/me').expect(200);
    });
    expect((await browser.me()).user?.displayName).toBe('Ann');
    expect((await client.mcp(tokens.access_token)).status).toBe(200);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('crashed under load: requests fail as 503 at worst, and nothing acknowledged is lost', async () => {
    const load = new LoadDriver(topology);
    load.start(3);
    await load.more(60);
    await postgres.crash();
    await load.more(20);
    await postgres.revive();
    await load.more(200);
    await load.stop();
    const failed = failures(load.history);
    expect(failed.length).toBeGreaterThan(0);
    expect(new Set(failed.map(({ outcome }) => outcome))).toEqual(new Set([503]));
    expect(usedAfterRevoked(load.history)).toEqual([]);
    expect(failures(load.history.slice(-60))).toEqual([]);
  });
});
