import { sentinelFailure } from '#libs/platform';
import { fail, type Finding } from '../finding.js';
import { describeCertificateError, describeNetworkError, errorDetails } from '../network-errors.js';

const CONSEQUENCE =
  'until then ceremonies answer 503, budgets are unknown and every replica counts visits by itself';

/**
 * Explains why the doctor, and so the service, cannot use Redis at `host`; `rights` are those that its user needs.
 */
export function redisProbeError(host: string, error: unknown, rights: string): Finding {
  const { code, message } = errorDetails(error);
  const at = `Redis at ${host}`;
  const sentinel = sentinelFailure(message);
  const network = describeNetworkError(code);
  const certificate = describeCertificateError(code);
  if (sentinel !== undefined) {
    return fail(
      `${at}: ${sentinel}`,
      `start the Sentinels, or correct their addresses, password and the name in REDIS_URL; ${CONSEQUENCE}`,
    );
  }
  if (network !== undefined) {
    return fail(
      `${at} cannot be reached: ${network}`,
      `start it, or correct REDIS_URL (rediss:// for one that speaks TLS); ${CONSEQUENCE}`,
    );
  }
  if (/^(?:NOAUTH|WRONGPASS|ERR (?:AUTH|invalid password))/.test(message)) {
    return fail(`${at}: user or password is wrong`, 'correct them in REDIS_URL');
  }
  if (message.startsWith('NOPERM')) {
    const remedy = `give it the rights: ACL SETUSER <user> ${rights}`;
    return fail(`${at}: the user may not do this: ${message}`, remedy);
  }
  if (message.startsWith('LOADING')) {
    return fail(`${at} is reading its data`, `wait until it has; ${CONSEQUENCE}`);
  }
  if (/timed out|ETIMEDOUT/.test(message)) {
    const remedy = `look at its load and the network; ${CONSEQUENCE}`;
    return fail(`${at} does not answer in time`, remedy);
  }
  return certificate === undefined
    ? fail(`${at} refuses: ${code || message}`, 'look at the log of Redis')
    : fail(`the certificate of ${at} ${certificate}`, 'name its authority in NODE_EXTRA_CA_CERTS');
}
