import { fail, type Finding, ok, warn } from '../finding.js';

/** The answer to INFO as names and values. */
export type RedisInfo = Readonly<Record<string, string | undefined>>;

const OLDEST_VERSION = [6, 2] as const;

export const parseRedisInfo = (text: string): RedisInfo =>
  Object.fromEntries(
    text
      .split(/\r?\n/)
      .filter((line) => line.includes(':') && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1)]),
  );

/** Whether what Redis says about itself is what the service needs. */
export function* redisInfoFindings(info: RedisInfo): Iterable<Finding> {
  yield versionFinding(info['redis_version'] ?? 'unknown');
  if (info['cluster_enabled'] === '1') {
    yield fail(
      'it is a Redis Cluster',
      'use a single Redis, with a replica for fail-over if you like',
    );
  }
  if (info['role'] === 'slave') {
    yield fail('it is a replica: nothing can be written', 'let REDIS_URL name the primary');
  }
  yield evictionFinding(info);
  yield persistenceFinding(info);
}

function versionFinding(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = OLDEST_VERSION;
  const isEnough = major > oldestMajor || (major === oldestMajor && minor >= oldestMinor);
  if (isEnough) return ok(`version ${version}`);
  return fail(`version ${version}`, `use Redis ${OLDEST_VERSION.join('.')} or later, for GETDEL`);
}

function evictionFinding({ maxmemory_policy: policy }: RedisInfo): Finding {
  if (policy === 'noeviction') return ok('maxmemory-policy is noeviction');
  return warn(
    `maxmemory-policy is ${policy ?? 'unknown'}: when memory runs out, Redis drops challenges and counters, so sign-ups fail and budgets and rate limits begin anew`,
    'set maxmemory-policy noeviction',
  );
}

function persistenceFinding(info: RedisInfo): Finding {
  if (info['aof_enabled'] !== '1') {
    return warn(
      'the append-only file is off: when Redis ends, budgets begin the day anew and sign-ins under way fail',
      'set appendonly yes',
    );
  }
  if (info['aof_last_write_status'] === 'err') {
    return fail('Redis could not write its append-only file', 'look at its disk and its log');
  }
  return ok('the append-only file is on');
}
