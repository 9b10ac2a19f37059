import { Redis } from 'ioredis';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { describeUserRunLimit } from './user-run-limit.contract.js';
import { RedisUserRunLimit } from './user-run-limit.redis.js';

describeWithRedis('RedisUserRunLimit', () => {
  let database: TestRedis;
  let one: Redis;
  let two: Redis;

  beforeAll(async () => {
    database = await redisForTests();
    one = new Redis(database.url);
    two = new Redis(database.url);
  });
  afterAll(async () => {
    one.disconnect();
    two.disconnect();
    await database.dispose();
  });

  describeUserRunLimit(() => [new RedisUserRunLimit(one), new RedisUserRunLimit(two)]);

  it('leaves nothing behind that does not end by itself', async () => {
    const limit = new RedisUserRunLimit(one);
    await limit.acquire('ann', 'a', 60_000);
    expect(await one.pttl('code:running:ann')).toBeGreaterThan(0);
    await limit.release('ann', 'a');
    expect(await one.exists('code:running:ann')).toBe(0);
  });

  it('keeps what is still held when a shorter one comes later', async () => {
    const limit = new RedisUserRunLimit(one);
    await limit.acquire('bob', 'long', 60_000);
    await limit.acquire('bob', 'short', 1_000);
    expect(await one.pttl('code:running:bob')).toBeGreaterThan(10_000);
  });

  it('refuses when Redis is away', async () => {
    const gone = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false });
    await expect(new RedisUserRunLimit(gone).acquire('ann', 'a', 1)).rejects.toThrow();
    gone.disconnect();
  });
});
