const NAMES = new Set(['MaxRetriesPerRequestError', 'AbortError']);

const MESSAGES = new Set([
  'Command timed out',
  'Connection is closed.',
  "Stream isn't writeable and enableOfflineQueue options is false",
]);

const CODES = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Replies of a Redis that is there but cannot serve; older ones wrap what happens inside a script. */
const REPLY =
  /^(?:ERR Error running script .*: -?)?(?:BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOREPLICAS|OOM|READONLY|TRYAGAIN)\s/;

const REFUSED_CONNECTION = 'ERR max number of clients reached';

/** Whether an error that ioredis gave says that Redis is out of service for now, rather than that a command is wrong. */
export function isRedisOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (NAMES.has(error.name) || MESSAGES.has(error.message)) return true;
  if ('code' in error && typeof error.code === 'string' && CODES.has(error.code)) return true;
  if (error.name !== 'ReplyError') return false;
  return REPLY.test(error.message) || error.message.startsWith(REFUSED_CONNECTION);
}
