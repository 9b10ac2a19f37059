import type { Redis } from 'ioredis';
import { describeWithRedis } from '../../../../../test/support/services/describe-with.js';
import {
  type TestRedis,
  redisForTests,
} from '../../../../../test/support/services/redis-for-tests.js';
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

  it('connects a user who may not ask INFO, without a word on the console', async () => {
    const warn = jest.spyOn(console, 'warn').mockReturnValue();
    const name = `no-info-${shared.url.split('/').at(-1)}`;
    await redis.call('ACL', 'SETUSER', name, 'on', '>secret', '~*', '+@all', '-info');
    const limited = new RedisClient(shared.url, { username: name, password: 'secret' });
    expect(await limited.set('key', 'value')).toBe('OK');
    expect(warn).not.toHaveBeenCalled();
    warn.mockRestore();
    limited.disconnect();
    await redis.call('ACL', 'DELUSER', name);
  });

  it('gives up what Redis does not answer', async () => {
    const waiting = redis.call('BLPOP', 'nothing', '5');
    await expect(waiting).rejects.toThrow('Command timed out');
  });
});
