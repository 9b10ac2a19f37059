import { isIP } from 'node:net';
import type { Config } from '../../config/config.js';
import { fail, type Finding, ok, warn } from '../finding.js';

/** Whether browsers can use what PUBLIC_ORIGINS lists. */
export function* originFindings({
  publicOrigins,
}: Pick<Config, 'publicOrigins'>): Iterable<Finding> {
  if (publicOrigins === undefined) {
    yield ok('PUBLIC_ORIGINS is unset: only http://localhost and its like are served');
    return;
  }
  const origins = publicOrigins.map((origin) => new URL(origin));
  for (const origin of origins) yield describe(origin);
  yield* mixtures(origins);
}

function describe({ origin, hostname, protocol }: URL): Finding {
  if (isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0) {
    return fail(
      `${origin} is an address: browsers run passkeys on host names only, so nobody can sign in there`,
      'give the service a host name, or use http://localhost for development',
    );
  }
  return ok(protocol === 'https:' ? `${origin} is served` : `${origin} is served, to this machine`);
}

function* mixtures(origins: readonly URL[]): Iterable<Finding> {
  const secure = origins.filter(({ protocol }) => protocol === 'https:');
  if (secure.length > 0 && secure.length < origins.length) {
    yield warn(
      'PUBLIC_ORIGINS lists plain-http origins of this machine next to https ones',
      'leave them out in production: they are for development',
    );
  }
  const hosts = new Set(secure.map(({ hostname }) => hostname));
  if (hosts.size > 1) {
    yield warn(
      `PUBLIC_ORIGINS lists ${hosts.size} host names: a passkey made on one does not work on another`,
      'keep one host name, and let the proxy redirect the others to it',
    );
  }
}
