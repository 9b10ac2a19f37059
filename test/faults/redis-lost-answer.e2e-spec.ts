import { Redis } from 'ioredis';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { eventually, type RedisServer, startRedisServer } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { Relay } from '../support/relay.js';

const LIMIT = 100;
const RUN = { code: 'return 1', timeoutMs: 200 };
/** The highest possible price, which is charged before the run begins. */
const PRICE = 45;

const usesRedis = globalThis.STORAGE !== 'embedded';
const describeWithRedis = usesRedis ? describe : describe.skip;

const challengeOf = ({ response }: { response: { clientDataJSON: string } }): string =>
  JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()).challenge;

describeWithRedis('when Redis did it and the answer is lost (embedded storage has none)', () => {
  let redis: RedisServer;
  let direct: Redis;
  let relay: Relay;
  let gatehouse: Gatehouse;
  let person: Browser;

  beforeAll(async () => {
    redis = await startRedisServer();
    direct = new Redis(redis.url);
    relay = await Relay.to(redis.port);
    const url = relay.instead(redis.url);
    gatehouse = await startGatehouse({ REDIS_URL: url, BUDGET_DAILY_LIMIT: String(LIMIT) });
  });
  beforeEach(async () => {
    person = new Browser(gatehouse);
    await person.signUp();
  });
  afterAll(async () => {
    direct.disconnect();
    await gatehouse.stop();
    await relay.cut();
    await redis.stop();
  });

  const inService = () => eventually(async () => expect((await person.me()).budget).not.toBeNull());

  /** The answer once Redis is available again: a busy machine takes a while to reconnect. */
  const answered = (ask: () => Promise<Answer>) =>
    eventually(async () => {
      const answer = await ask();
      expect(answer.status).not.toBe(503);
      return answer.status;
    });

  const ways = [
    { how: 'with the connection', end: () => relay.drop() },
    { how: 'and comes late', end: () => relay.deliver() },
  ];

  describe.each(ways)('$how', ({ end }) => {
    const recover = async () => {
      expect(relay.lostAnswers).toBe(true);
      end();
      await inService();
    };

    it('a registration challenge counts as used: 503, then 400, and no one is signed in', async () => {
      const browser = new Browser(gatehouse);
      const response = await browser.attest();
      const key = `passkeys:challenge:${challengeOf(response)}`;
      expect(await direct.exists(key)).toBe(1);
      relay.loseAnswersTo((request) => request.includes(key));
      const first = await browser.post('/svc/auth/register/verify', response);
      expect([first.status, first.headers['retry-after']]).toEqual([503, expect.any(String)]);
      expect(await direct.exists(key)).toBe(0);
      await recover();
      const verify = () => browser.post('/svc/auth/register/verify', response);
      expect(await answered(verify)).toBe(400);
      expect(browser.cookie).toBeUndefined();
      expect(await answered(() => new Browser(gatehouse).signUp())).toBe(200);
    });

    it('a challenge that was kept but not confirmed is not given out', async () => {
      const browser = new Browser(gatehouse);
      relay.loseAnswersTo((request) => request.includes('passkeys:challenge:'));
      const options = await browser.post('/svc/auth/register/options', { displayName: 'Bea' });
      expect([options.status, options.json()['challenge']]).toEqual([503, undefined]);
      await recover();
      expect(await answered(() => new Browser(gatehouse).signUp())).toBe(200);
    });

    it('a charge stands, nothing is run for it, and the day is never overspent', async () => {
      const app = await ConnectedApp.connect(gatehouse);
      for (const charged of [PRICE, 2 * PRICE]) {
        relay.loseAnswersTo((request) => request.includes('budget:'));
        expect(await app.refusal('run_code', RUN)).toContain('try again');
        await recover();
        await eventually(async () => expect(await app.used()).toBe(charged));
      }
      expect(await app.refusal('run_code', RUN)).toContain(`${LIMIT - 2 * PRICE} are left`);
      expect(await app.used()).toBe(2 * PRICE);
    });
  });

  it('credits whose return is not confirmed are reported as spent, and are there again', async () => {
    const app = await ConnectedApp.connect(gatehouse);
    const asked = { times: 0 };
    const isThird = (request: string) => request.includes('budget:') && ++asked.times === 3;
    relay.loseAnswersTo(isThird);
    expect(await app.have('run_code', RUN)).toMatchObject({ value: 1, creditsUsed: PRICE + 1 });
    expect(relay.lostAnswers).toBe(true);
    relay.drop();
    await inService();
    const used = (await app.used()) ?? 0;
    expect(used).toBeGreaterThanOrEqual(2);
    expect(used).toBeLessThanOrEqual(PRICE + 1);
  });

  it('a visit is counted: the limit comes no later for it', async () => {
    const limited = await startGatehouse(
      { REDIS_URL: relay.instead(redis.url), RATE_LIMIT_MAX: '10', RATE_LIMIT_PERIOD: '600' },
      gatehouse,
    );
    await direct.flushall();
    const visit = async () => (await new Browser(limited).post('/svc/auth/logout')).status;
    relay.loseAnswersTo((request) => request.includes('accounts:visits:'));
    expect(await visit()).toBe(204);
    relay.drop();
    const reader = person.at(limited);
    await eventually(async () => expect((await reader.me()).budget).not.toBeNull());
    const statuses = await Promise.all(Array.from({ length: 20 }, visit));
    expect(statuses.filter((status) => status === 204)).toHaveLength(9);
    await limited.stop();
  });
});
