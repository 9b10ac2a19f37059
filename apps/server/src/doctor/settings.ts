import { isIP, isIPv6 } from 'node:net';
import { isLoopbackHostname } from '#libs/accounts';
import type { Config } from '../config/config.js';
import { fail, type Finding, ok, warn } from './finding.js';

type Findings = Iterable<Finding>;

/** The state of the process itself, the variables that it does not read, and the files that others may. */
export function* processFindings({ misspelt, exposed }: Config): Findings {
  yield ok(`Node ${process.version}`);
  for (const line of misspelt) yield warn(line, 'correct its name, or take it away');
  for (const line of exposed) yield warn(line, 'take away the rights of others: chmod 600');
}

/** Whether browsers can use what PUBLIC_ORIGINS lists. */
export function* originFindings({ publicOrigins }: Config): Findings {
  if (publicOrigins === undefined) {
    yield ok('PUBLIC_ORIGINS is unset: only http://localhost and its like are served');
    return;
  }
  const urls = publicOrigins.map((origin) => new URL(origin));
  for (const { origin, hostname, protocol } of urls) {
    yield isIP(hostname.replaceAll(/[[\]]/g, '')) !== 0
      ? fail(
          `${origin} is an address: browsers run passkeys on host names only, so users cannot sign in there`,
          'give the service a host name, or use http://localhost for development',
        )
      : ok(`${origin} is served${protocol === 'https:' ? '' : ', to this machine'}`);
  }
  const secure = urls.filter(({ protocol }) => protocol === 'https:');
  if (secure.length > 0 && secure.length < urls.length) {
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

/** Whether the service sees a proxied request the way the visitor sent it. */
export function* proxyFindings({
  publicOrigins = [],
  trustedProxies,
  listen: { host },
}: Config): Findings {
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
      `TRUSTED_PROXIES holds ${range}: every host in that range can claim any visitor address and origin`,
      'list only the addresses of the proxies',
    );
  }
  const here = trustedProxies.filter(isLoopbackRange);
  if (isLoopback(host) && here.length === 0) {
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

/** Who can reach the ports of the process. */
export function* listenerFindings({ listen, management, publicOrigins }: Config): Findings {
  yield ok(`the service listens on ${listen.host} port ${listen.port}`);
  if (publicOrigins === undefined && !isLoopback(listen.host)) {
    yield warn(
      `HOST is ${listen.host}, but PUBLIC_ORIGINS is unset: other machines get 421`,
      'set PUBLIC_ORIGINS to the origins that people use, or HOST=127.0.0.1 for development',
    );
  }
  if (management === undefined) {
    yield ok('MANAGEMENT_PORT is unset: there is no /livez, /readyz and /metrics');
    return;
  }
  yield ['0.0.0.0', '::'].includes(management.host)
    ? warn(
        `MANAGEMENT_HOST is ${management.host}: metrics and health can be read from everywhere`,
        'set MANAGEMENT_HOST to an address of an internal network, or keep the port behind a firewall',
      )
    : ok(`management listens on ${management.host} port ${management.port}`);
}

/** One sign-in and one connection of an app take eight counted requests. */
const FEWEST_REQUESTS = 8;

const SIGN_UPS = {
  open: 'anyone may create an account',
  invite: 'SIGN_UP is invite: a new account takes an invitation code',
  closed: 'SIGN_UP is closed: no new accounts are created',
};

/** Settings that are allowed, but seldom intended outside of tests. */
export function* policyFindings(config: Config): Findings {
  const { clientDocuments, budgetDailyLimit, rateLimit, screeningWebhookUrl } = config;
  if (clientDocuments.privateHosts.length > 0) {
    yield warn(
      'CIMD_PRIVATE_HOSTS is set: strangers can have the listed hosts asked from inside your network',
      'leave it unset in production',
    );
  }
  if (budgetDailyLimit === 0) {
    yield warn(
      'BUDGET_DAILY_LIMIT is 0: every tool call that costs credits is refused',
      'set it to the credits an account may spend in a day, or leave it unset for 1000',
    );
  }
  if (rateLimit.max < FEWEST_REQUESTS) {
    yield warn(
      `RATE_LIMIT_MAX is ${rateLimit.max}: signing in and connecting an app takes ${FEWEST_REQUESTS} requests`,
      'allow more, or leave it unset for 300',
    );
  }
  if (config.publicOrigins !== undefined && config.addPasskeyMaxAgeMs === undefined) {
    yield warn(
      'ADD_PASSKEY_MAX_AGE is unset: a thief of a session, however old it is, can add a passkey and stay',
      'set ADD_PASSKEY_MAX_AGE=10: people then sign in again before they add one',
    );
  }
  const screening = URL.parse(screeningWebhookUrl ?? '');
  if (screening?.protocol === 'http:' && !isLoopbackHostname(screening.hostname)) {
    yield warn(
      'SCREENING_WEBHOOK_URL is plain http: what users send can be read on its way',
      'use https, or a webhook on this machine',
    );
  }
  yield ok(`${budgetDailyLimit} credits a day for each account`);
  yield ok(`${rateLimit.max} requests in ${rateLimit.periodMs / 1000} s for each visitor`);
  yield ok(SIGN_UPS[config.signUp]);
  yield ok(
    config.registration
      ? 'apps may register themselves'
      : 'REGISTRATION is off: new apps connect by a metadata document only',
  );
  if (config.machineClients) {
    yield ok('MACHINE_CLIENTS is on: administrators make clients that act for themselves');
  }
}

/** How many processes the chosen storage supports. */
export function* replicaFindings({ database, redisUrl }: Config): Findings {
  if (database.type === 'postgres') {
    yield redisUrl === undefined
      ? warn(
          'PostgreSQL without Redis is good for one replica only: a second one would not know its challenges, tabs and counters',
          'set REDIS_URL before you start another replica',
        )
      : ok('PostgreSQL and Redis: as many replicas as you like');
    return;
  }
  yield redisUrl === undefined
    ? ok('SQLite without Redis: one process, everything in one file')
    : warn(
        'SQLite with Redis: all processes have to be on the machine that holds the SQLite file',
        'use PostgreSQL for replicas on several machines, or unset REDIS_URL when there is one process',
      );
}
