import { type Config, readConfig } from '../config/config.js';
import type { Finding } from './finding.js';
import {
  listenerFindings,
  originFindings,
  policyFindings,
  processFindings,
  proxyFindings,
  replicaFindings,
} from './settings.js';

type Look = (config: Config) => Iterable<Finding>;

const complaints = (look: Look, variables: Record<string, string>) =>
  [...look(readConfig(variables))]
    .filter(({ severity }) => severity !== 'ok')
    .map(({ severity, text }) => `${severity} ${text}`);

const HTTPS = { PUBLIC_ORIGINS: 'https://gate.example', ADD_PASSKEY_MAX_AGE: '10' };
const PROXIED = { ...HTTPS, TRUSTED_PROXIES: 'loopback' };

describe('settings', () => {
  const all: [string, Look][] = [
    ['process', processFindings],
    ['origins', originFindings],
    ['proxies', proxyFindings],
    ['listeners', listenerFindings],
    ['policies', policyFindings],
    ['replicas', replicaFindings],
  ];

  it.each(all)('%s: nothing is wrong with the defaults', (_name, look) => {
    expect(complaints(look, {})).toEqual([]);
  });

  it.each(all)('%s: nothing is wrong behind a proxy on this machine', (_name, look) => {
    expect(complaints(look, PROXIED)).toEqual([]);
  });

  it.each(all)('%s: nothing is wrong with replicas behind proxies elsewhere', (_name, look) => {
    const variables = {
      ...HTTPS,
      TRUSTED_PROXIES: '10.0.0.0/28',
      HOST: '0.0.0.0',
      DATABASE_URL: 'postgres://gate:secret@db/gate',
      REDIS_URL: 'redis://cache',
      MANAGEMENT_PORT: '9090',
    };
    expect(complaints(look, variables)).toEqual([]);
  });

  it.each<[Look, string, Record<string, string>]>([
    [
      processFindings,
      'warn PUBLIC_ORIGIN is not read: did you mean PUBLIC_ORIGINS?',
      { PUBLIC_ORIGIN: 'https://gate.example' },
    ],
    [
      originFindings,
      'FAIL https://192.0.2.7 is an address',
      { PUBLIC_ORIGINS: 'https://192.0.2.7' },
    ],
    [
      originFindings,
      'FAIL http://[::1]:3000 is an address',
      { PUBLIC_ORIGINS: 'http://[::1]:3000' },
    ],
    [
      originFindings,
      'warn PUBLIC_ORIGINS lists plain-http origins',
      { PUBLIC_ORIGINS: 'https://gate.example,http://localhost:3000' },
    ],
    [
      originFindings,
      'warn PUBLIC_ORIGINS lists 2 host names',
      { PUBLIC_ORIGINS: 'https://gate.example,https://www.gate.example' },
    ],
    [
      proxyFindings,
      'FAIL TRUSTED_PROXIES is unset, so https://gate.example will never be seen',
      HTTPS,
    ],
    [
      proxyFindings,
      'warn TRUSTED_PROXIES holds 10.0.0.0/7',
      { ...PROXIED, TRUSTED_PROXIES: 'loopback,10.0.0.0/7' },
    ],
    [
      proxyFindings,
      'warn TRUSTED_PROXIES holds 2001::/8',
      { ...PROXIED, TRUSTED_PROXIES: 'loopback,2001::/8' },
    ],
    [
      proxyFindings,
      'FAIL HOST is 127.0.0.1, which only this machine',
      { ...HTTPS, TRUSTED_PROXIES: '10.0.0.0/28' },
    ],
    [
      proxyFindings,
      'warn HOST is 0.0.0.0, but only a proxy on this machine',
      { ...PROXIED, HOST: '0.0.0.0' },
    ],
    [listenerFindings, 'warn HOST is ::, but PUBLIC_ORIGINS is unset', { HOST: '::' }],
    [
      listenerFindings,
      'warn MANAGEMENT_HOST is 0.0.0.0',
      { MANAGEMENT_PORT: '9090', MANAGEMENT_HOST: '0.0.0.0' },
    ],
    [policyFindings, 'warn CIMD_PRIVATE_HOSTS is set', { CIMD_PRIVATE_HOSTS: 'localhost:8443' }],
    [
      policyFindings,
      'warn ADD_PASSKEY_MAX_AGE is unset',
      { PUBLIC_ORIGINS: 'https://gate.example' },
    ],
    [policyFindings, 'warn BUDGET_DAILY_LIMIT is 0', { BUDGET_DAILY_LIMIT: '0' }],
    [policyFindings, 'warn RATE_LIMIT_MAX is 3', { RATE_LIMIT_MAX: '3' }],
    [
      policyFindings,
      'warn SCREENING_WEBHOOK_URL is plain http',
      { SCREENING_WEBHOOK_URL: 'http://screen.example/' },
    ],
    [replicaFindings, 'warn PostgreSQL without Redis', { DATABASE_URL: 'postgres://gate@db/gate' }],
    [replicaFindings, 'warn SQLite with Redis', { REDIS_URL: 'redis://cache' }],
  ])('%p says %s', (look, beginning, variables) => {
    expect(complaints(look, variables)).toEqual([expect.stringContaining(beginning)]);
  });

  it('every complaint says what to do', () => {
    const config = readConfig({ ...HTTPS, BUDGET_DAILY_LIMIT: '0', REDIS_URL: 'redis://cache' });
    const findings = all.flatMap(([, look]) => Array.from(look(config)));
    const wrong = findings.filter(({ severity }) => severity !== 'ok');
    expect(wrong.length).toBeGreaterThan(2);
    expect(wrong.map(({ remedy }) => remedy)).not.toContain(undefined);
  });
});
