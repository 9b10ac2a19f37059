import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { eventually } from '../../../../test/support/eventually.js';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { describeThrottlerStorage } from './throttler-storage.contract.js';
import { InProcessThrottlerStorage } from './throttler-storage.in-process.js';
import { RedisThrottlerStorage } from './throttler-storage.redis.js';

describeWithRedis('ThrottlerStorage in Redis', () => {
  let database: TestRedis;
  let connections: Redis[];
  let replicas: RedisThrottlerStorage[];

  const storageOn = (redis: Redis) =>
    new RedisThrottlerStorage(redis, new InProcessThrottlerStorage());

  beforeAll(async () => {
    database = await redisForTests();
    connections = [new Redis(database.url), new Redis(database.url)];
    replicas = connections.map(storageOn);
  });
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await database.dispose();
  });

  describeThrottlerStorage(() => replicas);

  it('every window ends by itself', async () => {
    const [redis] = connections as [Redis];
    await storageOn(redis).increment('ends', 60_000, 1, 60_000, 'default');
    expect(await redis.pttl('accounts:visits:ends')).toBeGreaterThan(0);
  });

  it('has no counter for a /64 of a /48 that is over its limit', async () => {
    const [redis] = connections as [Redis];
    const storage = storageOn(redis);
    const visit = (subnet: number) =>
      storage.increment(`2001:db8:1:${subnet.toString(16)}00::/64`, 60_000, 1, 60_000, '');
    for (let subnet = 0; subnet < 200; subnet += 1) await visit(subnet);
    const keys = await redis.keys('accounts:visits:2001:db8:1:*');
    expect(keys).toHaveLength(1 + 16 + 16);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });

  it('asks Redis no more for a visitor who is refused, and again when his window is over', async () => {
    const [redis] = connections as [Redis];
    const storage = storageOn(redis);
    const visit = (periodMs: number) => storage.increment('refused', periodMs, 1, periodMs, '');
    await visit(60_000);
    expect(await visit(60_000)).toMatchObject({ isBlocked: true, timeToExpire: 60 });
    await redis.del('accounts:visits:refused');
    expect(await visit(60_000)).toMatchObject({ isBlocked: true, totalHits: 2 });
    expect(await redis.exists('accounts:visits:refused')).toBe(0);
    const brief = () => storage.increment('brief', 50, 1, 50, '');
    await brief();
    await brief();
    await eventually(async () => expect(await brief()).toMatchObject({ isBlocked: false }));
  });

  it('says once that Redis is away, also when refusals that need no Redis come in between', async () => {
    const [redis] = connections as [Redis];
    const said = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const storage = storageOn(redis);
    const visit = (visitor: string) => storage.increment(visitor, 60_000, 1, 60_000, 'default');
    await visit('insistent');
    await visit('insistent');
    const away = jest.spyOn(redis, 'countVisit' as 'get').mockRejectedValue(new Error('away'));
    for (let n = 0; n < 3; n += 1) {
      await visit(`other ${n}`);
      expect(await visit('insistent')).toMatchObject({ isBlocked: true });
    }
    expect(said).toHaveBeenCalledTimes(1);
    away.mockRestore();
    said.mockRestore();
  });

  it('counts by itself while Redis does not answer', async () => {
    const gone = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false });
    const storage = storageOn(gone);
    const visit = () => storage.increment('ann', 60_000, 2, 60_000, 'default');
    const blocked = [await visit(), await visit(), await visit()].map(({ isBlocked }) => isBlocked);
    expect(blocked).toEqual([false, false, true]);
    gone.disconnect();
  });
});
