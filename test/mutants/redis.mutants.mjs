const PREFIX = { project: 'e2e-redis', specs: ['test/storage/redis-prefix.e2e-spec.ts'] };

export const mutants = [
  {
    name: 'services with prefixes of their own hear each other’s tabs',
    file: 'libs/tab-hub/src/bus/account-listeners.redis.ts',
    find: '`${keyPrefix}tabs:${db}:`',
    replace: '`tabs:${db}:`',
    ...PREFIX,
  },
  {
    name: 'the channel of cancellations has no prefix',
    file: 'libs/oauth/src/mcp/cancellations.redis.ts',
    find: '`${keyPrefix}oauth:',
    replace: '`oauth:',
    ...PREFIX,
  },
  {
    name: 'the prefix does not reach Redis',
    file: 'libs/database/src/redis/redis.connection.ts',
    find: 'new Client(url, { ...options, keyPrefix })',
    replace: 'new Client(url, options)',
    ...PREFIX,
  },
];
