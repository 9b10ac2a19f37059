import { Redis } from 'ioredis';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { type RedisServer, startRedisServer } from '#libs/platform/testing';

const FLOOD = 8_000;
const AT_ONCE = 64;
/** The requests that a /48 may send with a limit of 300. */
const ADMITTED = 16 * 300;

const usesRedis = globalThis.STORAGE !== 'embedded';

type Headers = Record<string, string>;
const from = (address: string): Headers => ({ 'x-forwarded-for': address });
/** The nth /64 of one /48, 32 in each /56. */
const inSite = (n: number) =>
  from(`2001:db8:1:${(Math.floor(n / 32) * 256 + (n % 32)).toString(16)}::1`);

describe('a flood of registrations from all of an IPv6 /48 (contract: Challenges)', () => {
  let redis: RedisServer | undefined;
  let gatehouse: Gatehouse;

  beforeAll(async () => {
    redis = usesRedis ? await startRedisServer() : undefined;
    gatehouse = await startGatehouse({
      RATE_LIMIT_MAX: '300',
      RATE_LIMIT_PERIOD: '3600',
      TRUSTED_PROXIES: 'loopback',
      ...(redis && { REDIS_URL: redis.url }),
    });
  });
  afterAll(async () => {
    await gatehouse.stop();
    await redis?.stop();
  });

  const begin = (headers: Headers) =>
    new Browser(gatehouse).post('/svc/auth/register/options', { displayName: 'Eve' }, headers);

  /** How many requests of the flood are admitted. */
  const flood = async () => {
    let [next, admitted] = [0, 0];
    const work = async () => {
      while (next < FLOOD) {
        const { status } = await begin(inSite(next++));
        if (status === 200) admitted += 1;
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, work));
    return admitted;
  };

  it('is held to sixteen visitors, and neither sign-up nor sign-in of others suffers', async () => {
    const ann = new Browser(gatehouse);
    const attestation = await ann.attest();

    expect(await flood()).toBe(ADMITTED);

    expect((await ann.post('/svc/auth/register/verify', attestation)).status).toBe(200);
    expect((await ann.signIn()).status).toBe(200);
    expect((await new Browser(gatehouse).signUp('Bob')).status).toBe(200);
  });

  (usesRedis ? it : it.skip)('leaves little in Redis (embedded storage has none)', async () => {
    const direct = new Redis(redis?.url ?? '');
    await flood();
    const used = /used_memory:(\d+)/.exec(await direct.info('memory'))?.[1];
    expect(Number(used)).toBeLessThan(16 * 1024 * 1024);
    expect(await direct.dbsize()).toBeLessThan(4 * ADMITTED);
    direct.disconnect();
  });
});
