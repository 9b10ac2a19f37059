import { InProcessRateLimiter, RedisRateLimiter } from '#libs/platform';
import { describeOnRedis } from '#libs/platform/testing';
import { CountedRegistrationBudget } from './registration-budget.js';
import { describeRegistrationBudget } from './registration-budget.contract.js';

const SHARED = { prefix: 'oauth:registered-bytes:', counts: 'registered bytes' };

describe('RegistrationBudget in this process', () => {
  describeRegistrationBudget((allowance) => [
    new CountedRegistrationBudget(new InProcessRateLimiter(), allowance),
  ]);

  it('is 5 MiB a day', async () => {
    const budget = new CountedRegistrationBudget(new InProcessRateLimiter());
    expect(await budget.spend('ann', 5_242_880)).toBe(0);
    expect(await budget.spend('ann', 1)).toBeGreaterThan(23 * 60 * 60 * 1000);
  });
});

describeOnRedis('RegistrationBudget in Redis', (connections) => {
  describeRegistrationBudget((allowance) =>
    connections().map((redis) => {
      const limiter = new RedisRateLimiter(redis, SHARED);
      return new CountedRegistrationBudget(limiter, allowance);
    }),
  );
});
