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
 * Whether an error of ioredis means that Redis is unavailable for now, rather than that a command is wrong. Commands
 * fail with such errors within the times of FAIL_FAST. Then limits count in this process (`rate-limiter.redis`),
 * client documents are fetched (`client-document-cache.redis`), a cancellation reaches this replica alone
 * (`cancellation.redis`), open tabs are asked to come back (`tab-connections.service`), no code runs
 * (`run-queue.service`), budgets are unknown (`budget.service`), tools say so to the model (`call.service` of mcp),
 * the replica is not ready (`readiness.service`), and other requests return 503 (ErrorFilter).
 */
export function isRedisOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (REDIS_NAMES.has(error.name) || REDIS_MESSAGES.has(error.message)) return true;
  if (NETWORK.test(codeOf(error) ?? '')) return true;
  if (error.name !== 'ReplyError') return false;
  return REDIS_REPLY.test(error.message) || error.message.startsWith(REFUSED_CONNECTION);
}
