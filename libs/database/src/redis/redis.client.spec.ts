import type { Redis } from 'ioredis';
import { describeWithRedis } from '../../../../test/support/services/describe-with.js';
import {
  redisForTests,
  type TestRedis,
} from '../../../../test/support/services/redis-for-tests.js';
import { RedisClient } from './redis.client.js';

const TIMEOUT_MS = 100;

function stall(ms: number) {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

describeWithRedis('RedisClient', () => {
  let shared: TestRedis;
  let redis: Redis;

  beforeEach(async () => {
    shared = await redisForTests();
    redis = new RedisClient(shared.url, { commandTimeout: TIMEOUT_MS });
    await redis.ping();
  });
  afterEach(async () => {
    redis.disconnect();
    await shared.dispose();
  });

  it('takes an answer that came while the process was busy, however late it is read', async () => {
    const duplicate = redis.duplicate();
    await duplicate.ping();
    const answers = [redis.set('key', 'value'), redis.get('key'), duplicate.ping()];
    stall(5 * TIMEOUT_MS);
    expect(await Promise.all(answers)).toEqual(['OK', 'value', 'PONG']);
    duplicate.disconnect();
  });

  it('gives up what Redis does not answer', async () => {
    const waiting = redis.call('BLPOP', 'nothing', '5');
    await expect(waiting).rejects.toThrow('Command timed out');
  });
});
