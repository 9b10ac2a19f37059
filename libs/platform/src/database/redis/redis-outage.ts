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

/** Error replies of a Redis that runs but cannot serve; older versions wrap those from inside a script. */
const REPLY =
  /^(?:ERR Error running script .*: -?)?(?:BUSY|CLUSTERDOWN|LOADING|MASTERDOWN|MISCONF|NOREPLICAS|OOM|READONLY|TRYAGAIN)\s/;

const REFUSED_CONNECTION = 'ERR max number of clients reached';

/** Whether an error of ioredis means that Redis is unavailable for now, rather than that a command is wrong. */
export function isRedisOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (NAMES.has(error.name) || MESSAGES.has(error.message)) return true;
  if ('code' in error && typeof error.code === 'string' && CODES.has(error.code)) return true;
  if (error.name !== 'ReplyError') return false;
  return REPLY.test(error.message) || error.message.startsWith(REFUSED_CONNECTION);
}
