import { fail, type Finding, ok, warn } from '../finding.js';

/** The answer to INFO as names and values. */
export type RedisInfo = Readonly<Record<string, string | undefined>>;

const OLDEST_VERSION = 6.2;

export const parseRedisInfo = (text: string): RedisInfo =>
  Object.fromEntries(
    [...text.matchAll(/^([^#:\r\n]+):(.*?)\r?$/gm)].map(([, name, value]) => [name, value]),
  );

/** Whether the INFO of Redis shows what the service needs. */
export function* redisInfoFindings(info: RedisInfo): Iterable<Finding> {
  const { redis_version: version = 'unknown', maxmemory_policy: policy = 'unknown' } = info;
  yield Number.parseFloat(version) >= OLDEST_VERSION
    ? ok(`version ${version}`)
    : fail(`version ${version}`, `use Redis ${OLDEST_VERSION} or later, for GETDEL`);
  if (info['cluster_enabled'] === '1') {
    const remedy = 'use a single Redis, with a replica for fail-over if you like';
    yield fail('it is a Redis Cluster', remedy);
  }
  if (info['role'] === 'slave') {
    yield fail('it is a replica: nothing can be written', 'let REDIS_URL name the primary');
  }
  yield policy === 'noeviction'
    ? ok('maxmemory-policy is noeviction')
    : warn(
        `maxmemory-policy is ${policy}: when memory runs out, Redis drops challenges and counters, so sign-ups fail and budgets and rate limits start again from zero`,
        'set maxmemory-policy noeviction',
      );
  if (info['aof_enabled'] !== '1') {
    yield warn(
      'the append-only file is off: when Redis ends, budgets start again from zero and sign-ins in progress fail',
      'set appendonly yes',
    );
  } else if (info['aof_last_write_status'] === 'err') {
    yield fail('Redis could not write its append-only file', 'look at its disk and its log');
  } else yield ok('the append-only file is on');
}
