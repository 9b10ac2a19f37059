/** The prefixes of the service's keys after REDIS_PREFIX, one for each lib that keeps any. */
export const REDIS_KEY_PREFIXES = ['accounts', 'budget', 'code', 'oauth', 'passkeys', 'tabs'];

/** The prefixes of the service's channels after REDIS_PREFIX. */
export const REDIS_CHANNEL_PREFIXES = ['oauth', 'tabs'];

const COMMANDS =
  '+@connection +@string +@hash +@set +@sortedset +@keyspace +eval +evalsha +publish +subscribe +unsubscribe +time -@dangerous +info';

/** The `ACL SETUSER` rules for the user of REDIS_URL with this REDIS_PREFIX: the least that the service needs. */
export function redisRights(redisPrefix: string): string {
  const keys = REDIS_KEY_PREFIXES.map((name) => `~${redisPrefix}${name}:*`).join(' ');
  const channels = REDIS_CHANNEL_PREFIXES.map((name) => `&${redisPrefix}${name}:*`).join(' ');
  return `resetkeys ${keys} resetchannels ${channels} -@all ${COMMANDS}`;
}
