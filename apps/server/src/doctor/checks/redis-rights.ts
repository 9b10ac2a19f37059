/** What the names of the service's keys begin with, one for each lib that keeps any. */
export const REDIS_KEY_PREFIXES = ['accounts', 'budget', 'code', 'oauth', 'passkeys', 'tabs'];

/** The same of its channels. */
export const REDIS_CHANNEL_PREFIXES = ['oauth', 'tabs'];

const KEYS = REDIS_KEY_PREFIXES.map((prefix) => `~${prefix}:*`).join(' ');
const CHANNELS = REDIS_CHANNEL_PREFIXES.map((prefix) => `&${prefix}:*`).join(' ');

const COMMANDS =
  '+@connection +@string +@hash +@set +@sortedset +@keyspace +eval +evalsha +publish +subscribe +unsubscribe +time -@dangerous +info';

/** The rules of `ACL SETUSER` for the user of REDIS_URL: what the service needs and no more. */
export const REDIS_RIGHTS = `resetkeys ${KEYS} resetchannels ${CHANNELS} -@all ${COMMANDS}`;
