import { Redis } from 'ioredis';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { describeChallengeStore } from './challenge-store.contract.js';
import { RedisChallengeStore } from './challenge-store.redis.js';

describeWithRedis('ChallengeStore in Redis', () => {
  let database: TestRedis;
  let connections: Redis[];

  beforeAll(async () => {
    database = await redisForTests();
    connections = [new Redis(database.url), new Redis(database.url)];
  });
  afterAll(async () => {
    for (const redis of connections) redis.disconnect();
    await database.dispose();
  });

  describeChallengeStore(() => connections.map((redis) => new RedisChallengeStore(redis)));
});
