import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient } from '../support/oauth-client.js';

const REGISTRATION = ['register/options', 'register/verify'];

const usesRedis = globalThis.STORAGE !== 'embedded';
const describeWithRedis = usesRedis ? describe : describe.skip;

describeWithRedis('with Redis gone (embedded storage has none)', () => {
  let redis: RedisServer;
  let gatehouse: Gatehouse;
  let browser: Browser;

  beforeAll(async () => {
    redis = await startRedisServer();
    gatehouse = await startGatehouse({ REDIS_URL: redis.url });
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  afterAll(async () => {
    await gatehouse.stop();
    await redis.stop();
  });

  const serves = async () =>
    (await new Browser(gatehouse).post('/svc/auth/register/options', { displayName: 'Ann' }))
      .status;
  const comesBack = () => eventually(async () => expect(await serves()).toBe(200));

  it.each([
    ['frozen', () => redis.freeze(), async () => redis.thaw()],
    [
      'killed',
      () => redis.stop(),
      async () => {
        redis = await startRedisServer(redis.port);
      },
    ],
  ])(
    '%s: me goes on without a budget, people pause apps, sign in and out, registration is 503, and all of it comes back',
    async (_how, lose, restore) => {
      const attestation = await new Browser(gatehouse).attest();
      const assertion = await browser.assert();
      await (await OAuthClient.register(gatehouse)).connect(browser);
      const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
      await lose();
      const paused = await browser.send('PATCH', `/svc/me/connections/${apps[0]?.id}`, {
        paused: true,
      });
      expect([paused.status, paused.json()]).toMatchObject([
        200,
        { connection: { paused: true, usedToday: null } },
      ]);
      expect(await browser.me()).toEqual({
        user: { id: expect.any(String), displayName: 'Ann' },
        budget: null,
      });
      const elsewhere = new Browser(gatehouse, browser.authenticator);
      expect((await elsewhere.post('/svc/auth/login/verify', assertion)).status).toBe(200);
      expect((await elsewhere.post('/svc/auth/login/verify', assertion)).status).toBe(400);
      expect((await elsewhere.signIn()).status).toBe(200);
      expect((await elsewhere.me()).user).toMatchObject({ displayName: 'Ann' });
      expect((await elsewhere.post('/svc/auth/logout')).status).toBe(204);
      expect((await elsewhere.me()).user).toBeNull();
      for (const route of REGISTRATION) {
        const body = route.endsWith('verify') ? attestation : { displayName: 'Ann' };
        const answer = await new Browser(gatehouse).post(`/svc/auth/${route}`, body);
        expect([route, answer.status]).toEqual([route, 503]);
        expect(answer.headers['retry-after']).toMatch(/^\d+$/);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.json()['error']).toContain('try again');
        expect(answer.text).not.toMatch(/redis|6379|127\.0\.0\.1/i);
      }
      await restore();
      await comesBack();
      await eventually(async () => expect((await browser.me()).budget).not.toBeNull());
      expect((await browser.signIn()).status).toBe(200);
    },
  );

  it('the outage is logged once, whatever is requested meanwhile', async () => {
    const { environment } = gatehouse.storage;
    const server = new ServerProcess({ ...environment, PORT: '0', REDIS_URL: redis.url });
    const port = await server.port();
    const here = browser.at({ port });
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser, ['code:run', 'tabs:read']);
    const call = async (name: string, given: object) => {
      const params = { name, arguments: given };
      return (await client.at({ port }).mcp(token, 'tools/call', params)).json();
    };
    await redis.stop();
    for (let n = 0; n < 10; n += 1) {
      expect((await here.me()).budget).toBeNull();
      await here.signIn();
      expect((await here.post('/svc/auth/register/options', {})).status).toBe(503);
      for (const refused of [await call('list_tabs', {}), await call('run_code', { code: '1' })]) {
        expect(refused).toMatchObject({ result: { isError: true } });
      }
    }
    const told = server.stdout
      .split('\n')
      .filter((line) => /"level":"(?:warn|error)"/.test(line))
      .map((line) => JSON.parse(line) as { context: string; message: string; reason?: string });
    const refusals = told.filter(({ context }) => context === 'Request');
    expect(refusals.length).toBe(10);
    for (const { reason } of refusals) expect(reason).toMatch(/^storage does not answer: ./);
    const messages = told
      .filter(({ context }) => context !== 'Request')
      .map(({ message }) => message.replaceAll(/[0-9a-f-]{36}/g, 'id'));
    expect(messages.length).toBeGreaterThan(0);
    expect(messages).toEqual([...new Set(messages)]);
    await server.kill();
    redis = await startRedisServer(redis.port);
    await comesBack();
  });

  it('the rate limit goes on, counted by this replica', async () => {
    const limited = await startGatehouse({ REDIS_URL: redis.url, RATE_LIMIT_MAX: '10' }, gatehouse);
    await redis.stop();
    const calls = Array.from({ length: 30 }, () => new Browser(limited).post('/svc/auth/logout'));
    const answers = await Promise.all(calls);
    expect(answers.filter(({ status }) => status === 204)).toHaveLength(10);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20);
    await limited.stop();
    redis = await startRedisServer(redis.port);
    await comesBack();
  });
});
