import { InProcessRateLimiter, RedisRateLimiter } from '#libs/platform';
import { describeOnRedis } from '#libs/platform/testing';
import { describeThrottlerStorage } from './throttler-storage.contract.js';
import { VisitorStorage } from './visitor.storage.js';

const SHARED = { prefix: 'accounts:visits:', counts: 'visits' };

describe('VisitorStorage in this process', () => {
  const storage = new VisitorStorage(new InProcessRateLimiter());
  describeThrottlerStorage(() => [storage]);

  it('has no counter for a /64 of a /48 that is over its limit', async () => {
    const few = new VisitorStorage(new InProcessRateLimiter({ maxWindows: 40 }));
    const visit = (subnet: number) =>
      few.increment(`2001:db8:1:${subnet.toString(16)}00::/64`, 60_000, 1);
    const old = await few.increment('192.0.2.1', 60_000, 10);
    for (let subnet = 0; subnet < 200; subnet += 1) await visit(subnet);
    expect(old.totalHits).toBe(1);
    expect((await few.increment('192.0.2.1', 60_000, 10)).totalHits).toBe(2);
  });
});

describeOnRedis('VisitorStorage in Redis', (connections) => {
  let replicas: VisitorStorage[];

  beforeAll(() => {
    replicas = connections().map(
      (redis) => new VisitorStorage(new RedisRateLimiter(redis, SHARED)),
    );
  });

  describeThrottlerStorage(() => replicas);

  it('has no counter for a /64 of a /48 that is over its limit', async () => {
    const [redis] = connections();
    const [storage] = replicas as [VisitorStorage];
    const visit = (subnet: number) =>
      storage.increment(`2001:db8:1:${subnet.toString(16)}00::/64`, 60_000, 1);
    for (let subnet = 0; subnet < 200; subnet += 1) await visit(subnet);
    const keys = await redis.keys('accounts:visits:2001:db8:1:*');
    expect(keys).toHaveLength(1 + 16 + 16);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
  });
});
