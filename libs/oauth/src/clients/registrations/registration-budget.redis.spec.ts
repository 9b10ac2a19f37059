import { Logger } from '@nestjs/common';
import { Redis } from 'ioredis';
import { describeWithRedis } from '../../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../../test/support/services/redis-for-tests.js';
import { REGISTRATION_ALLOWANCE, type RegistrationAllowance } from './registration-budget.js';
import { describeRegistrationBudget } from './registration-budget.contract.js';
import { InProcessRegistrationBudget } from './registration-budget.in-process.js';
import { RedisRegistrationBudget } from './registration-budget.redis.js';

describeWithRedis('RegistrationBudget in Redis', () => {
  let database: TestRedis;
  let connections: Redis[];
  const open = (redis: Redis, allowance: RegistrationAllowance = REGISTRATION_ALLOWANCE) =>
    new RedisRegistrationBudget(redis, new InProcessRegistrationBudget(allowance), allowance);

  beforeAll(async () => {
    database = await redisForTests();
    connections = [new Redis(database.url), new Redis(database.url)];
  });
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await database.dispose();
  });

  describeRegistrationBudget((allowance) => connections.map((redis) => open(redis, allowance)));

  it('every window ends by itself', async () => {
    const [redis] = connections as [Redis];
    await open(redis).spend('ends', 1);
    expect(await redis.pttl('oauth:registered-bytes:ends')).toBeGreaterThan(0);
  });

  it('counts by itself while Redis does not answer, and says so once', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const gone = new Redis({ port: 1, lazyConnect: true, enableOfflineQueue: false });
    const budget = open(gone, { bytes: 2, periodMs: 60_000 });
    const waits = [await budget.spend('ann', 1), await budget.spend('ann', 1)];
    expect(waits).toEqual([0, 0]);
    expect(await budget.spend('ann', 1)).toBeGreaterThan(0);
    expect(warn).toHaveBeenCalledTimes(1);
    warn.mockRestore();
    gone.disconnect();
  });
});
