import { Redis } from 'ioredis';
import { describeOnRedis } from '#libs/platform/testing';
import { describeUserRunLimit } from './user-run-limit.contract.js';
import { RedisUserRunLimit } from './user-run-limit.redis.js';

describeOnRedis('RedisUserRunLimit', (connections) => {
  const open = (redis: Redis) => new RedisUserRunLimit(redis);

  describeUserRunLimit(() => {
    const [one, two] = connections();
    return [open(one), open(two)];
  });

  it('leaves nothing behind that does not end by itself', async () => {
    const [redis] = connections();
    const limit = open(redis);
    await limit.acquire('ann', 'a', 60_000);
    expect(await redis.pttl('code:running:ann')).toBeGreaterThan(0);
    await limit.release('ann', 'a');
    expect(await redis.exists('code:running:ann')).toBe(0);
  });

  it('keeps what is still held when a shorter one comes later', async () => {
    const [redis] = connections();
    const limit = open(redis);
    await limit.acquire('bob', 'long', 60_000);
    await limit.acquire('bob', 'short', 1_000);
    expect(await redis.pttl('code:running:bob')).toBeGreaterThan(10_000);
  });

  it('refuses when Redis is away', async () => {
    const gone = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false });
    await expect(open(gone).acquire('ann', 'a', 1)).rejects.toThrow();
    gone.disconnect();
  });
});
