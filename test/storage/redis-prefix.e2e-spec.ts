import { Redis } from 'ioredis';
import { ConnectedApp } from '../mcp/connected-app.js';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { type RedisServer, startRedisServer } from '#libs/platform/testing';
import { TabClient } from '../support/tab-client.js';

const onRedis = globalThis.STORAGE === 'redis';
const NAME = /^(?:one:|one|)(?:accounts|budget|code|oauth|passkeys|tabs):/;
/** Keys of requests that only the first service received. */
const OF_THE_FIRST = ['one:budget:', 'one:oauth:', 'one:passkeys:'];
const LIMITED = { RATE_LIMIT_MAX: '40', RATE_LIMIT_PERIOD: '3600' };

(onRedis ? describe : describe.skip)(
  'services with prefixes of their own on one Redis (runs with the redis storage only)',
  () => {
    let redis: RedisServer;
    let admin: Redis;
    let one: Gatehouse;
    let other: Gatehouse;
    let unprefixed: Gatehouse;

    beforeAll(async () => {
      redis = await startRedisServer();
      admin = new Redis(redis.url);
      const start = (REDIS_PREFIX: string, beside?: Gatehouse) =>
        startGatehouse({ REDIS_URL: redis.url, REDIS_PREFIX }, beside);
      one = await start('one:');
      // On the same database, so that accounts and origin are the same: only Redis separates the services.
      other = await start('one', one);
      unprefixed = await start('', one);
    });
    afterAll(async () => {
      await Promise.all([other.stop(), unprefixed.stop()]);
      await one.stop();
      admin.disconnect();
      await redis.stop();
    });

    const at = ({ port }: Gatehouse) => ({ port, origin: one.origin });

    const namesOf = async () => {
      const keys: string[] = [];
      for await (const found of admin.scanStream({ count: 1_000 })) keys.push(...found);
      const channels = (await admin.pubsub('CHANNELS')) as string[];
      return { keys, channels };
    };

    /** The prefixes of the names, such as `one:tabs:`; undefined for a name that belongs to no lib. */
    const beginningsOf = (names: readonly string[]) =>
      new Set(names.map((name) => NAME.exec(name)?.[0]));
    const withPrefixes = (...libs: string[]) =>
      new Set(['one:', 'one', ''].flatMap((prefix) => libs.map((lib) => `${prefix}${lib}:`)));

    it('count credits, hold challenges and have tabs each for itself', async () => {
      const app = await ConnectedApp.connect(one);
      const others = [app.at(other), app.at(unprefixed)];
      expect(await app.have('run_code', { code: 'return 1' })).toMatchObject({ value: 1 });
      expect((await app.browser.me()).budget?.used).toBeGreaterThan(0);
      for (const { browser } of others) expect((await browser.me()).budget?.used).toBe(0);

      const newcomer = new Browser(one);
      const attestation = await newcomer.attest();
      for (const replica of [other, unprefixed]) {
        const elsewhere = newcomer.at(replica);
        const refused = await elsewhere.post('/svc/auth/register/verify', attestation);
        expect(refused.status).toBe(400);
      }
      expect((await newcomer.post('/svc/auth/register/verify', attestation)).status).toBe(200);

      const here = await TabClient.open(at(one), app.browser);
      const there = await TabClient.open(at(other), app.browser);
      const anywhere = await TabClient.open(at(unprefixed), app.browser);
      for (const tab of [here, there, anywhere]) await tab.sees(tab);
      expect(await app.have('send_message', { body: 'hi' })).toEqual({ delivered: 1 });
      expect(await others[0]?.have('list_tabs')).toMatchObject({ tabs: [{ id: there.id }] });
      await new Browser(one).creationOptions();
      const { keys, channels } = await namesOf();
      const byAll = withPrefixes('accounts', 'tabs');
      expect(beginningsOf(keys)).toEqual(new Set([...byAll, ...OF_THE_FIRST]));
      expect(beginningsOf(channels)).toEqual(withPrefixes('oauth', 'tabs'));
      await Promise.all([here.close(), there.close(), anywhere.close()]);
    });

    it('count visits each for itself', async () => {
      const limited = await startGatehouse(
        { ...LIMITED, REDIS_URL: redis.url, REDIS_PREFIX: 'a:' },
        one,
      );
      const beside = await startGatehouse(
        { ...LIMITED, REDIS_URL: redis.url, REDIS_PREFIX: 'b:' },
        one,
      );
      const visit = async (gatehouse: Gatehouse) =>
        (await new Browser(at(gatehouse)).post('/svc/auth/login/options')).status;
      const statuses: number[] = [];
      for (let n = 0; n < 41; n += 1) statuses.push(await visit(limited));
      expect(statuses.at(-2)).toBe(200);
      expect(statuses.at(-1)).toBe(429);
      expect(await visit(beside)).toBe(200);
      await Promise.all([limited.stop(), beside.stop()]);
    });
  },
);
