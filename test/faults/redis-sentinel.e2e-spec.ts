import { Redis } from 'ioredis';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { complaintsOf, examineConfiguration } from '../support/examination.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { describeWithRedis } from '../support/services/describe-with.js';
import {
  PRIMARY,
  type SentinelServer,
  startSentinel,
} from '../support/services/sentinel-server.js';
import { TabClient } from '../support/tab-client.js';
import { askManagement } from '../support/management.js';

const PASSWORD = 'pr1m@ry';
const SENTINEL_PASSWORD = 's3nt+nel';

const startNode = (port?: number, ...args: string[]) =>
  startRedisServer(port, ['--requirepass', PASSWORD, '--masterauth', PASSWORD, ...args]);

describeWithRedis('a Redis whose Sentinels name another primary', () => {
  let nodes: [RedisServer, RedisServer];
  let sentinels: SentinelServer[];
  let replicas: [Gatehouse, Gatehouse];
  let url: string;

  /** The answer of a Sentinel or a Redis. */
  async function ask(port: number, password: string, command: string, ...args: string[]) {
    const redis = new Redis({ port, password, retryStrategy: null });
    redis.on('error', () => {});
    try {
      return await redis.call(command, ...args);
    } finally {
      redis.disconnect();
    }
  }
  const askSentinel = ({ port }: SentinelServer, ...args: string[]) =>
    ask(port, SENTINEL_PASSWORD, 'SENTINEL', ...args);

  beforeAll(async () => {
    const first = await startNode();
    const second = await startNode(undefined, '--replicaof', `127.0.0.1 ${first.port}`);
    nodes = [first, second];
    const watched = { port: first.port, password: PASSWORD, sentinelPassword: SENTINEL_PASSWORD };
    sentinels = await Promise.all([1, 2, 3].map(() => startSentinel(watched)));
    await eventually(async () => {
      for (const sentinel of sentinels) {
        const facts = (await askSentinel(sentinel, 'MASTER', PRIMARY)) as string[];
        const of = (name: string) => facts[facts.indexOf(name) + 1];
        expect([of('num-slaves'), of('num-other-sentinels')]).toEqual(['1', '2']);
      }
    });
    const addresses = sentinels.map(({ port }) => `127.0.0.1:${port}`).join(',');
    const [password, asked] = [PASSWORD, SENTINEL_PASSWORD].map(encodeURIComponent);
    url = `redis+sentinel://:${password}@${addresses}/${PRIMARY}/3?sentinel_password=${asked}`;
    const variables = { REDIS_URL: url, MANAGEMENT_PORT: '0' };
    const one = await startGatehouse(variables);
    replicas = [one, await startGatehouse(variables, one)];
  });
  afterAll(async () => {
    for (const replica of replicas.toReversed()) await replica.stop();
    await Promise.all([...sentinels, ...nodes].map((server) => server.stop()));
  });

  const readiness = async (replica: Gatehouse) => (await askManagement(replica, '/readyz')).status;

  const openTabs = (browser: Browser) =>
    Promise.all(
      replicas.map(({ port }) => TabClient.open({ port, origin: replicas[0].origin }, browser)),
    ) as Promise<[TabClient, TabClient]>;

  /** Expects that a call at one replica reaches its tab at the other one. */
  const expectCallAcross = async (app: ConnectedApp, [here, there]: [TabClient, TabClient]) => {
    await here.sees(here, there);
    const called = app.call('call_tab', { tab: there.id, method: 'colour' });
    const { id } = await there.next<{ id: string }>('request');
    there.say('result', { id, ok: true, value: 'teal' });
    expect((await called).structuredContent).toEqual({ value: 'teal' });
  };

  it('goes on there by itself: credits, tabs over replicas and registrations', async () => {
    // The URL of Sentinels has no timeout setting: on a busy machine the first commands may time out.
    const app = await eventually(() => ConnectedApp.connect(replicas[0]));
    const runsCode = () => eventually(() => app.have('run_code', { code: 'return 1' }));
    await runsCode();
    const before = await openTabs(app.browser);
    await expectCallAcross(app, before);
    const used = (await app.browser.me()).budget?.used ?? 0;
    expect(used).toBeGreaterThan(0);
    expect(await ask(nodes[0].port, PASSWORD, 'WAIT', '1', '10000')).toBe(1);

    await nodes[0].stop();
    await eventually(async () => {
      expect(await Promise.all(replicas.map(readiness))).toEqual([503, 503]);
    });
    expect((await app.browser.me()).budget).toBeNull();
    const closed = await Promise.all(before.map((tab) => tab.closed));
    expect(closed.map(({ code }) => code)).toEqual([1013, 1013]);

    const soon = ['SET', PRIMARY, 'down-after-milliseconds', '500'];
    await Promise.all(sentinels.map((sentinel) => askSentinel(sentinel, ...soon)));
    await eventually(async () => {
      expect(await Promise.all(replicas.map(readiness))).toEqual([200, 200]);
    });
    await eventually(async () => {
      expect((await app.browser.me()).budget).toMatchObject({ used });
      expect((await new Browser(replicas[1]).at(replicas[0]).signUp()).status).toBe(200);
    });
    await runsCode();
    await expectCallAcross(app, await openTabs(app.browser));
  });

  it('stays there when the one before is back', async () => {
    nodes[0] = await startNode(nodes[0].port);
    await eventually(async () => {
      const [role] = (await ask(nodes[0].port, PASSWORD, 'ROLE')) as string[];
      expect(role).toBe('slave');
    });
    expect(await Promise.all(replicas.map(readiness))).toEqual([200, 200]);
    expect((await new Browser(replicas[0]).signUp()).status).toBe(200);
  });

  it('is right for the doctor', async () => {
    const { environment } = replicas[0].storage;
    const complaints = complaintsOf(await examineConfiguration({ ...environment, REDIS_URL: url }));
    expect(complaints.filter((line) => line.startsWith('FAIL'))).toEqual([]);
  });

  it.each([
    [
      'a name that none knows',
      (right: string) => right.replace(PRIMARY, 'others'),
      'No such master',
    ],
    ['a wrong password for them', (right: string) => right.replace('s3nt', 'wrong'), 'WRONGPASS'],
  ])('has the doctor say in one line that there is %s', async (_what, change, words) => {
    const wrong = change(url);
    const { environment } = replicas[0].storage;
    const { failed, text } = await examineConfiguration({ ...environment, REDIS_URL: wrong });
    expect(failed).toBe(true);
    expect(text).toMatch(
      new RegExp(`FAIL {2}Redis at .* cannot be used: no Sentinel tells its address: .*${words}`),
    );
    expect(text).not.toContain(PASSWORD);
  });
});
