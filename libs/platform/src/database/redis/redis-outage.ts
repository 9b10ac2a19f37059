import { codeOf, NETWORK } from '../../outage.js';

const REDIS_NAMES = new Set(['MaxRetriesPerRequestError', 'AbortError']);

const REDIS_MESSAGES = new Set([
  'Command timed out',
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
]);

/** Error replies of a Redis that runs but cannot serve; older versions wrap those from inside a script. */
const REDIS_REPLY =
  /^(?:ERR Error running script .*: -?)?(?:BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOREPLICAS|OOM|READONLY|TRYAGAIN)\s/;

const REFUSED_CONNECTION = 'ERR max number of clients reached';

/**
 * Whether an error of ioredis means that Redis is unavailable for now, rather than that a command is wrong.
 * docs/guides/operating.md says what goes on then; other requests return 503 (ErrorFilter).
 */
export function isRedisOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (REDIS_NAMES.has(error.name) || REDIS_MESSAGES.has(error.message)) return true;
  if (NETWORK.test(codeOf(error) ?? '')) return true;
  if (error.name !== 'ReplyError') return false;
  return REDIS_REPLY.test(error.message) || error.message.startsWith(REFUSED_CONNECTION);
}
