import { isIP } from 'node:net';
import { isLoopbackHostname } from '#libs/accounts';

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i;

/** Paths that tell or change something: a page in an operator's browser must not get at them. */
const GUARDED = /^\/(?:metrics$|admin(?:\/|$))/;

/**
 * Whether a request for a path may come under these `Host` values. A page whose name was pointed at this
 * listener (DNS rebinding) sends that name, so addresses, loopback names and the names of `allowed` (lower
 * case) are right; `/livez` and the status of `/readyz` tell nothing and take any.
 */
export function isHostAllowed(
  path: string,
  hosts: readonly string[],
  allowed: readonly string[],
): boolean {
  if (!GUARDED.test(path)) return true;
  const [host = '', ...others] = hosts;
  const hostname = HOST.exec(host)?.[1]?.toLowerCase();
  if (hostname === undefined || others.length > 0) return false;
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || isLoopbackHostname(hostname) || allowed.includes(hostname);
}
