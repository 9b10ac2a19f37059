import type { Config } from '../../config/config.js';
import { fail, type Finding, ok, warn } from '../finding.js';
import { isLoopbackAddress } from './proxies.js';

type Settings = Pick<Config, 'listen' | 'management' | 'devtoolsPort' | 'publicOrigins'>;

const EVERYWHERE = new Set(['0.0.0.0', '::']);

/** Who can reach the ports of the process. */
export function* listenerFindings(settings: Settings): Iterable<Finding> {
  const { listen, publicOrigins } = settings;
  yield ok(`the service listens on ${listen.host} port ${listen.port}`);
  if (publicOrigins === undefined && !isLoopbackAddress(listen.host)) {
    yield warn(
      `HOST is ${listen.host}, but PUBLIC_ORIGINS is unset: other machines get 421`,
      'set PUBLIC_ORIGINS to the origins that people use, or HOST=127.0.0.1 for development',
    );
  }
  yield* managementFindings(settings);
}

function* managementFindings({ listen, management, devtoolsPort }: Settings): Iterable<Finding> {
  if (management === undefined) {
    yield ok('MANAGEMENT_PORT is unset: there is no /livez, /readyz and /metrics');
    return;
  }
  yield EVERYWHERE.has(management.host)
    ? warn(
        `MANAGEMENT_HOST is ${management.host}: metrics and health can be read from everywhere`,
        'set MANAGEMENT_HOST to an address of an internal network, or keep the port behind a firewall',
      )
    : ok(`management listens on ${management.host} port ${management.port}`);
  for (const [name, port] of [
    ['PORT', listen.port] as const,
    ['DEVTOOLS_PORT', devtoolsPort] as const,
  ]) {
    if (port !== management.port || port === 0) continue;
    yield fail(`MANAGEMENT_PORT and ${name} are both ${port}`, 'give each a port of its own');
  }
}
