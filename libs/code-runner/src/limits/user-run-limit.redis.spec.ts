import { Redis } from 'ioredis';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { itIsRunSlots } from './user-run-limit.contract.js';
import { RedisRunSlots } from './user-run-limit.redis.js';

describeWithRedis('RedisRunSlots', () => {
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

  itIsRunSlots(() => [new RedisRunSlots(one), new RedisRunSlots(two)]);

  it('leaves nothing behind that does not end by itself', async () => {
    const slots = new RedisRunSlots(one);
    await slots.take('ann', 'a', 60_000);
    expect(await one.pttl('code:running:ann')).toBeGreaterThan(0);
    await slots.release('ann', 'a');
    expect(await one.exists('code:running:ann')).toBe(0);
  });

  it('keeps what is still held when a shorter one comes later', async () => {
    const slots = new RedisRunSlots(one);
    await slots.take('bob', 'long', 60_000);
    await slots.take('bob', 'short', 1_000);
    expect(await one.pttl('code:running:bob')).toBeGreaterThan(10_000);
  });

  it('refuses when Redis is away', async () => {
    const gone = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false });
    await expect(new RedisRunSlots(gone).take('ann', 'a', 1)).rejects.toThrow();
    gone.disconnect();
  });
});
