import { Browser } from '../support/browser.js';
import {
  eventually,
  postgresForTests,
  type RedisServer,
  startRedisServer,
  type TestPostgres,
} from '#libs/platform/testing';
import type { Answer } from '../support/http.js';
import { OAuthClient } from '../support/oauth-client.js';
import { describeTopology, Topology } from '../support/topology.js';

describeTopology('two replicas that lose Redis', () => {
  let postgres: TestPostgres;
  let redis: RedisServer;
  let topology: Topology;
  let browser: Browser;
  let client: OAuthClient;

  beforeAll(async () => {
    [postgres, redis] = await Promise.all([postgresForTests(), startRedisServer()]);
    topology = await Topology.start({ DATABASE_URL: postgres.url, REDIS_URL: redis.url });
  });
  beforeEach(async () => {
    browser = new Browser(topology);
    await browser.signUp();
    client = await OAuthClient.register(topology);
  });
  afterAll(async () => {
    await topology.stop();
    await Promise.all([redis.stop(), postgres.dispose()]);
  });

  const restart = async () => {
    redis = await startRedisServer(redis.port);
  };
  const backInService = () =>
    eventually(async () => {
      const answers = [await browser.me(), await browser.me()];
      if (answers.some(({ budget }) => budget === null)) throw new Error('no budget yet');
    });
  const statuses = (answers: Answer[]) => answers.map(({ status }) => status);

  it.each([
    ['frozen', () => redis.freeze(), async () => redis.thaw()],
    ['killed, and back empty', () => redis.stop(), restart],
  ])(
    '%s: what is connected goes on, people sign in, registration is 503',
    async (_how, lose, restore) => {
      const tokens = await client.connect(browser);
      const handle = await client.showConsent(browser);
      const assertion = await browser.assert();
      await lose();

      const six = (ask: () => Promise<Answer>) => Promise.all(Array.from({ length: 6 }, ask));
      const signUps = await six(() =>
        new Browser(topology).post('/svc/auth/register/options', { displayName: 'Bea' }),
      );
      expect(statuses(signUps)).toEqual(Array(6).fill(503));
      for (const { headers } of signUps) expect(headers['retry-after']).toMatch(/^\d+$/);

      const elsewhere = new Browser(topology, browser.authenticator);
      expect((await elsewhere.post('/svc/auth/login/verify', assertion)).status).toBe(200);
      const signIns = await six(() => new Browser(topology, browser.authenticator).signIn());
      expect(statuses(signIns)).toEqual(Array(6).fill(200));
      const called = await six(() => client.mcp(tokens.access_token));
      expect(statuses(called)).toEqual(Array(6).fill(200));
      const status = await browser.me();
      expect(status.user?.displayName).toBe('Ann');
      expect(status.budget).toBeNull();
      expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
      expect((await client.answerConsent(browser, handle, ['account:read'])).status).toBe(302);

      await restore();
      await backInService();
      const late = await new Browser(topology).post('/svc/auth/login/verify', assertion);
      expect(late.status).toBe(400);
      expect((await browser.signIn()).status).toBe(200);
      const signedIn = await Promise.all([browser.me(), browser.me()]);
      for (const { user, budget } of signedIn) {
        expect(user?.displayName).toBe('Ann');
        expect(budget).not.toBeNull();
      }
    },
  );

  it('restarted empty: who was signed in still is, and a registration under way has to start again', async () => {
    const attestation = await new Browser(topology).attest();
    await redis.stop();
    await restart();
    await backInService();
    const late = await new Browser(topology).post('/svc/auth/register/verify', attestation);
    expect(late.status).toBe(400);
    expect(late.json()['error']).toContain('start again');
    expect((await browser.me()).user).not.toBeNull();
    expect((await browser.signIn()).status).toBe(200);
  });
});
