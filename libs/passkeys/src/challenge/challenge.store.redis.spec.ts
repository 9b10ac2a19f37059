import { describeOnRedis } from '#libs/platform/testing';
import { describeChallengeStore, describeFullChallengeStore } from './challenge.store.contract.js';
import { RedisChallengeStore } from './challenge.store.redis.js';

const issued = {
  purpose: 'register',
  origin: 'http://localhost',
  userId: 'ann',
  displayName: 'Ann',
} as const;

describeOnRedis('ChallengeStore in Redis', (connections) => {
  describeChallengeStore(() => connections().map((redis) => new RedisChallengeStore(redis)));
  describeFullChallengeStore(async (capacity) => {
    const [redis] = connections();
    await redis.flushdb();
    return new RedisChallengeStore(redis, capacity);
  });

  it('leaves nothing that does not expire, and nothing at all of what was taken', async () => {
    const [redis] = connections();
    const store = new RedisChallengeStore(redis);
    const visitor = { key: '2001:db8:1:2::/64', network: '2001:db8:1::/48', limit: 2 };
    await redis.flushdb();
    for (const challenge of ['a', 'b', 'c']) await store.put(challenge, issued, 60_000, visitor);
    const keys = await redis.keys('*');
    expect(keys.toSorted()).toEqual([
      'passkeys:challenge:b',
      'passkeys:challenge:c',
      'passkeys:challenges',
      'passkeys:challenges-of:2001:db8:1:2::/64',
      'passkeys:challenges-of:2001:db8:1::/48',
    ]);
    for (const key of keys) expect(await redis.pttl(key)).toBeGreaterThan(0);
    await Promise.all(['b', 'c'].map((challenge) => store.take(challenge)));
    expect(await redis.keys('*')).toEqual([]);
  });
});
