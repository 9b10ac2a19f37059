import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '../config/config.js';
import { settingsFindings } from './settings.js';

/** The findings about these variables. */
const told = (variables: Record<string, string>) =>
  Array.from(settingsFindings(readConfig(variables)), ({ severity, text, remedy }) => {
    expect(remedy === undefined).toBe(severity === 'ok');
    return `${severity} ${text}`;
  });

const HTTPS = { PUBLIC_ORIGINS: 'https://gate.example', ADD_PASSKEY_MAX_AGE: '10' };
const PROXIED = { ...HTTPS, TRUSTED_PROXIES: 'loopback' };

describe('settings', () => {
  it.each<[string, Record<string, string>]>([
    ['the defaults', {}],
    ['a proxy on this machine', PROXIED],
    [
      'replicas behind proxies elsewhere',
      {
        ...HTTPS,
        TRUSTED_PROXIES: '10.0.0.0/28',
        HOST: '0.0.0.0',
        DATABASE_URL: 'postgres://gate:secret@db/gate',
        REDIS_URL: 'redis://cache',
        MANAGEMENT_PORT: '9090',
      },
    ],
  ])('nothing is wrong with %s', (_what, variables) => {
    expect(told(variables)).toEqual(['ok no setting contradicts another']);
  });

  it.each<[string, Record<string, string>]>([
    [
      'warn PUBLIC_ORIGIN is not read: did you mean PUBLIC_ORIGINS?',
      { PUBLIC_ORIGIN: 'https://gate.example' },
    ],
    ['FAIL https://192.0.2.7 is an address', { ...PROXIED, PUBLIC_ORIGINS: 'https://192.0.2.7' }],
    ['FAIL http://[::1]:3000 is an address', { ...HTTPS, PUBLIC_ORIGINS: 'http://[::1]:3000' }],
    [
      'warn PUBLIC_ORIGINS lists 2 host names',
      { ...PROXIED, PUBLIC_ORIGINS: 'https://gate.example,https://www.gate.example' },
    ],
    ['FAIL TRUSTED_PROXIES is unset, so https://gate.example will never be seen', HTTPS],
    [
      'warn TRUSTED_PROXIES holds 10.0.0.0/7',
      { ...PROXIED, TRUSTED_PROXIES: 'loopback,10.0.0.0/7' },
    ],
    ['warn TRUSTED_PROXIES holds 2001::/8', { ...PROXIED, TRUSTED_PROXIES: 'loopback,2001::/8' }],
    [
      'FAIL HOST is 127.0.0.1, which only this machine',
      { ...HTTPS, TRUSTED_PROXIES: '10.0.0.0/28' },
    ],
    ['warn HOST is 0.0.0.0, but only a proxy on this machine', { ...PROXIED, HOST: '0.0.0.0' }],
    ['warn HOST is ::, but PUBLIC_ORIGINS is unset', { HOST: '::' }],
    ['warn MANAGEMENT_HOST is 0.0.0.0', { MANAGEMENT_PORT: '9090', MANAGEMENT_HOST: '0.0.0.0' }],
    ['warn CIMD_PRIVATE_HOSTS is set', { CIMD_PRIVATE_HOSTS: 'localhost:8443' }],
    [
      'warn ADD_PASSKEY_MAX_AGE is unset',
      { PUBLIC_ORIGINS: 'https://gate.example', TRUSTED_PROXIES: 'loopback' },
    ],
    [
      'warn SCREENING_WEBHOOK_URL is plain http',
      { SCREENING_WEBHOOK_URL: 'http://screen.example/' },
    ],
    ['warn PostgreSQL without Redis', { DATABASE_URL: 'postgres://gate@db/gate' }],
    ['warn SQLite with Redis', { REDIS_URL: 'redis://cache' }],
  ])('%s', (beginning, variables) => {
    expect(told(variables)).toEqual([expect.stringContaining(beginning)]);
  });

  it('warns of a file with a secret that others may read', () => {
    const folder = mkdtempSync(join(tmpdir(), 'gatehouse-doctor-'));
    const path = join(folder, 'url');
    writeFileSync(path, 'redis://localhost');
    chmodSync(path, 0o644);
    expect(told({ REDIS_URL_FILE: path })).toContainEqual(
      'warn REDIS_URL_FILE names a file that others may read or change (mode 644)',
    );
    rmSync(folder, { recursive: true });
  });
});
