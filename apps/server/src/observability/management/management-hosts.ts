import { isIP } from 'node:net';
import { isLoopbackHostname } from '#libs/accounts';

export const MISDIRECTED =
  'this listener does not answer under this name; MANAGEMENT_ALLOWED_HOSTS gives it more';

const HOST = /^(\[[0-9a-f:.]+\]|[^:[\]]+)(?::\d{1,5})?$/i;

/** Paths that reveal or change something: a page in an operator's browser must not reach them. */
const GUARDED = /^\/(?:metrics$|(?:admin|console)(?:\/|$))/;

/**
 * Whether a request for a path may have these `Host` values. A page that points its name at this listener (DNS
 * rebinding) sends that name as `Host`, so only addresses, loopback names and the names of `allowed` (lower case)
 * pass; `/livez` and the status of `/readyz` reveal nothing and accept any.
 */
export function isHostAllowed(
  path: string,
  hosts: readonly string[],
  allowed: readonly string[],
): boolean {
  if (!GUARDED.test(path)) return true;
  const hostname = hostnameOf(hosts);
  if (hostname === undefined) return false;
  const isAddress = isIP(hostname.replace(/^\[(.*)\]$/, '$1')) !== 0;
  return isAddress || isLoopbackHostname(hostname) || allowed.includes(hostname);
}

/** Whether the one `Host` value is a name or an address of the loopback interface. */
export const isLoopbackHost = (hosts: readonly string[] | undefined): boolean =>
  isLoopbackHostname(hostnameOf(hosts ?? []) ?? '');

const hostnameOf = ([host = '', ...others]: readonly string[]): string | undefined =>
  others.length === 0 ? HOST.exec(host)?.[1]?.toLowerCase() : undefined;
