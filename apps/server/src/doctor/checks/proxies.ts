import { isIPv6 } from 'node:net';
import { isLoopbackHostname } from '#libs/accounts';
import type { Config } from '../../config/config.js';
import { fail, type Finding, ok, warn } from '../finding.js';

type Settings = Pick<Config, 'publicOrigins' | 'trustedProxies' | 'listen'>;

/** A range larger than this holds more than anybody's proxies. */
const SHORTEST_PREFIX = { 4: 8, 6: 16 } as const;

/** Whether a request that comes through a proxy is seen the way the visitor sent it. */
export function* proxyFindings(settings: Settings): Iterable<Finding> {
  const { publicOrigins = [], trustedProxies } = settings;
  const secure = publicOrigins.filter((origin) => origin.startsWith('https:'));
  if (trustedProxies.length === 0) {
    yield secure.length === 0
      ? ok('TRUSTED_PROXIES is unset: forwarded headers are ignored')
      : fail(
          `TRUSTED_PROXIES is unset, so ${secure.join(', ')} will never be seen: every request there gets 421`,
          'set TRUSTED_PROXIES to the address of the proxy that ends TLS, such as loopback or 10.0.0.0/28',
        );
    return;
  }
  yield ok(`forwarded headers are believed from ${trustedProxies.join(', ')}`);
  for (const range of trustedProxies.filter(isWide)) {
    yield warn(
      `TRUSTED_PROXIES holds ${range}: everybody in there can say which visitor and which origin they are`,
      'list the addresses of the proxies and no more',
    );
  }
  yield* reachability(settings, secure);
}

function* reachability({ listen, trustedProxies }: Settings, secure: string[]): Iterable<Finding> {
  const onThisMachine = trustedProxies.filter(isLoopbackRange);
  const listensLocally = isLoopbackAddress(listen.host);
  if (listensLocally && onThisMachine.length === 0) {
    yield fail(
      `HOST is ${listen.host}, which only this machine reaches, but TRUSTED_PROXIES names other machines only`,
      'set HOST=0.0.0.0 when the proxy is on another machine, or TRUSTED_PROXIES=loopback when it is on this one',
    );
  }
  if (!listensLocally && secure.length > 0 && onThisMachine.length === trustedProxies.length) {
    yield warn(
      `HOST is ${listen.host}, but only a proxy on this machine is believed`,
      'set HOST=127.0.0.1, or name the proxy in TRUSTED_PROXIES when it is on another machine or in another container',
    );
  }
}

export const isLoopbackAddress = (host: string): boolean =>
  host === '::1' || isLoopbackHostname(host);

const isLoopbackRange = (range: string) =>
  range === 'loopback' || range === '::1' || range.startsWith('127.') || range.startsWith('::1/');

function isWide(range: string) {
  const [address = '', bits] = range.split('/');
  if (bits === undefined) return false;
  return Number(bits) < SHORTEST_PREFIX[isIPv6(address) ? 6 : 4];
}
