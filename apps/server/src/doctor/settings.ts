import { isIP, isIPv6 } from 'node:net';
import { isLoopbackHostname } from '#libs/accounts';
import type { Config } from '../config/config.js';
import { fail, type Finding, ok, warn } from './finding.js';

export function settingsFindings(config: Config): Iterable<Finding> {
  const checks = [variables, origins, proxies, listeners, policies, replicas];
  const findings = checks.flatMap((check) => Array.from<Finding>(check(config)));
  return findings.length === 0 ? [ok('no setting contradicts another')] : findings;
}

function* variables({ misspelt, exposed }: Config) {
  for (const line of misspelt) yield warn(line, 'correct its name, or take it away');
  for (const line of exposed) yield warn(line, 'take away the rights of others: chmod 600');
}

function* origins({ publicOrigins = [] }: Config) {
  const urls = publicOrigins.map((origin) => new URL(origin));
  for (const { origin, hostname } of urls) {
    if (isIP(hostname.replaceAll(/[[\]]/g, '')) === 0) continue;
    yield fail(
      `${origin} is an address: browsers run passkeys on host names only, so users cannot sign in there`,
      'give the service a host name, or use http://localhost for development',
    );
  }
  const https = urls.filter(({ protocol }) => protocol === 'https:');
  const hosts = new Set(https.map(({ hostname }) => hostname));
  if (hosts.size > 1) {
    yield warn(
      `PUBLIC_ORIGINS lists ${hosts.size} host names: a passkey made on one does not work on another`,
      'keep one host name, and let the proxy redirect the others to it',
    );
  }
}

function* proxies({ publicOrigins = [], trustedProxies, listen: { host } }: Config) {
  const secure = publicOrigins.filter((origin) => origin.startsWith('https:'));
  if (secure.length > 0 && trustedProxies.length === 0) {
    yield fail(
      `TRUSTED_PROXIES is unset, so ${secure.join(', ')} will never be seen: every request there gets 421`,
      'set TRUSTED_PROXIES to the address of the proxy that ends TLS, such as loopback or 10.0.0.0/28',
    );
    return;
  }
  for (const range of trustedProxies.filter(isWide)) {
    yield warn(
      `TRUSTED_PROXIES holds ${range}: every host in that range can claim any visitor address and origin`,
      'list only the addresses of the proxies',
    );
  }
  const here = trustedProxies.filter(isLoopbackRange);
  if (isLoopback(host) && trustedProxies.length > 0 && here.length === 0) {
    yield fail(
      `HOST is ${host}, which only this machine reaches, but TRUSTED_PROXIES names other machines only`,
      'set HOST=0.0.0.0 when the proxy is on another machine, or TRUSTED_PROXIES=loopback when it is on this one',
    );
  }
  if (!isLoopback(host) && secure.length > 0 && here.length === trustedProxies.length) {
    yield warn(
      `HOST is ${host}, but only a proxy on this machine is believed`,
      'set HOST=127.0.0.1, or name the proxy in TRUSTED_PROXIES when it is on another machine or in another container',
    );
  }
}

const isLoopback = (host: string) => host === '::1' || isLoopbackHostname(host);

const isLoopbackRange = (range: string) => /^(?:loopback$|::1(?:\/|$)|127\.)/.test(range);

/** Whether a range is too large to hold only an operator's proxies. */
function isWide(range: string) {
  const [address = '', bits] = range.split('/');
  return bits !== undefined && Number(bits) < (isIPv6(address) ? 16 : 8);
}

function* listeners({ listen, management, publicOrigins }: Config) {
  if (publicOrigins === undefined && !isLoopback(listen.host)) {
    yield warn(
      `HOST is ${listen.host}, but PUBLIC_ORIGINS is unset: other machines get 421`,
      'set PUBLIC_ORIGINS to the origins that people use, or HOST=127.0.0.1 for development',
    );
  }
  if (management && ['0.0.0.0', '::'].includes(management.host)) {
    yield warn(
      `MANAGEMENT_HOST is ${management.host}: metrics and health can be read from everywhere`,
      'set MANAGEMENT_HOST to an address of an internal network, or keep the port behind a firewall',
    );
  }
}

function* policies(config: Config) {
  if (config.clientDocuments.privateHosts.length > 0) {
    yield warn(
      'CIMD_PRIVATE_HOSTS is set: strangers can have the listed hosts asked from inside your network',
      'leave it unset in production',
    );
  }
  if (config.publicOrigins !== undefined && config.addPasskeyMaxAgeMs === undefined) {
    yield warn(
      'ADD_PASSKEY_MAX_AGE is unset: a thief of a session, however old it is, can add a passkey and stay',
      'set ADD_PASSKEY_MAX_AGE=10: people then sign in again before they add one',
    );
  }
  const screening = URL.parse(config.screeningWebhookUrl ?? '');
  if (screening?.protocol === 'http:' && !isLoopbackHostname(screening.hostname)) {
    yield warn(
      'SCREENING_WEBHOOK_URL is plain http: what users send can be read on its way',
      'use https, or a webhook on this machine',
    );
  }
}

function* replicas({ database: { type }, redisUrl }: Config) {
  if (type === 'postgres' && redisUrl === undefined) {
    yield warn(
      'PostgreSQL without Redis is good for one replica only: a second one would not know its challenges, tabs and counters',
      'set REDIS_URL before you start another replica',
    );
  }
  if (type === 'sqlite' && redisUrl !== undefined) {
    yield warn(
      'SQLite with Redis: all processes have to be on the machine that holds the SQLite file',
      'use PostgreSQL for replicas on several machines, or unset REDIS_URL when there is one process',
    );
  }
}
