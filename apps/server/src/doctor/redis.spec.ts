import { parseRedisInfo, redisInfoFindings } from './redis.js';

const HEALTHY = {
  redis_version: '7.0.15',
  cluster_enabled: '0',
  role: 'master',
  maxmemory_policy: 'noeviction',
  aof_enabled: '1',
  aof_last_write_status: 'ok',
};

const complaints = (changes: Record<string, string>) =>
  [...redisInfoFindings({ ...HEALTHY, ...changes })]
    .filter(({ severity }) => severity !== 'ok')
    .map(({ severity, text }) => `${severity} ${text}`);

describe('what Redis says about itself', () => {
  it('is read line by line', () => {
    expect(parseRedisInfo('# Server\r\nredis_version:7.0.15\r\nos:a:b\r\n\r\n')).toEqual({
      redis_version: '7.0.15',
      os: 'a:b',
    });
  });

  it('is right as it should be, also of the oldest version', () => {
    expect(complaints({})).toEqual([]);
    expect(complaints({ redis_version: '6.2.0' })).toEqual([]);
  });

  it.each([
    [{ redis_version: '6.0.16' }, 'FAIL version 6.0.16'],
    [{ cluster_enabled: '1' }, 'FAIL it is a Redis Cluster'],
    [{ role: 'slave' }, 'FAIL it is a replica'],
    [{ maxmemory_policy: 'allkeys-lru' }, 'warn maxmemory-policy is allkeys-lru'],
    [{ aof_enabled: '0' }, 'warn the append-only file is off'],
    [{ aof_last_write_status: 'err' }, 'FAIL Redis could not write'],
  ])('with %p it says %s', (changes, beginning) => {
    expect(complaints(changes)).toEqual([expect.stringContaining(beginning)]);
  });
});
