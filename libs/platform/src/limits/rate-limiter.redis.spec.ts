import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { describeOnRedis, eventually } from '../testing.js';
import { describeRateLimiter } from './rate-limiter.contract.js';
import { RedisRateLimiter } from './rate-limiter.redis.js';

const SHARED = { prefix: 'counted:', counts: 'calls' };

describeOnRedis('RateLimiter in Redis', (connections) => {
  let replicas: RedisRateLimiter[];

  const limiterOn = (redis: Redis) => new RedisRateLimiter(redis, SHARED);
  const once = (key: string, periodMs = 60_000) => [{ key, limit: 1, periodMs }];

  beforeAll(() => {
    replicas = connections().map(limiterOn);
  });

  describeRateLimiter(() => replicas);

  it('every window ends by itself', async () => {
    const [redis] = connections();
    await limiterOn(redis).take([...once('ends'), ...once('ends too', 30_000)]);
    expect(await redis.pttl('counted:ends')).toBeGreaterThan(30_000);
    expect(await redis.pttl('counted:ends too')).toBeGreaterThan(0);
    expect(await redis.pttl('counted:ends too')).toBeLessThanOrEqual(30_000);
  });

  it('has no window for what one of the others has no room for', async () => {
    const [redis] = connections();
    await limiterOn(redis).take(once('full'));
    await limiterOn(redis).take([...once('full'), ...once('beside')]);
    expect(await redis.exists('counted:beside')).toBe(0);
  });

  it('does not ask Redis for a full window until that is over', async () => {
    const [redis] = connections();
    const limiter = limiterOn(redis);
    await limiter.take(once('refused'));
    const { remainingMs } = await limiter.take(once('refused'));
    expect(remainingMs).toBeGreaterThan(50_000);
    await redis.del('counted:refused');
    expect(await limiter.take(once('refused'))).toMatchObject({ passes: false, used: 2 });
    expect(await redis.exists('counted:refused')).toBe(0);
    const brief = () => limiter.take(once('brief', 50));
    await brief();
    await brief();
    await eventually(async () => expect(await brief()).toMatchObject({ passes: true }));
  });

  it('asks Redis for less where there was no room for more', async () => {
    const limiter = limiterOn(connections()[0]);
    const bytes = [{ key: 'bytes', limit: 10, periodMs: 60_000 }];
    expect(await limiter.take(bytes, 6)).toMatchObject({ passes: true });
    expect(await limiter.take(bytes, 5)).toMatchObject({ passes: false });
    expect(await limiter.take(bytes, 4)).toMatchObject({ passes: true });
  });

  it('logs once that Redis is away, also when refusals that need no Redis come in between', async () => {
    const [redis] = connections();
    const said = jest.spyOn(Logger.prototype, 'warn').mockReturnValue();
    const limiter = limiterOn(redis);
    await limiter.take(once('insistent'));
    await limiter.take(once('insistent'));
    const away = jest.spyOn(redis, 'takeInWindows' as 'get').mockRejectedValue(new Error('away'));
    for (let n = 0; n < 3; n += 1) {
      await limiter.take(once(`other ${n}`));
      expect(await limiter.take(once('insistent'))).toMatchObject({ passes: false });
    }
    expect(said).toHaveBeenCalledTimes(1);
    expect(said).toHaveBeenCalledWith(expect.stringMatching('counting calls on this replica only'));
    away.mockRestore();
    said.mockRestore();
  });

  it('counts by itself while Redis does not answer', async () => {
    const gone = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false });
    const limiter = limiterOn(gone);
    const twice = [{ key: 'ann', limit: 2, periodMs: 60_000 }];
    const passed = [];
    for (let n = 0; n < 3; n += 1) passed.push((await limiter.take(twice)).passes);
    expect(passed).toEqual([true, true, false]);
    gone.disconnect();
  });
});
