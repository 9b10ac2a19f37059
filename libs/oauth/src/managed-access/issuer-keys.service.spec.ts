import { generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Logger } from '@nestjs/common';
import { type DocumentHost, startDocumentHost } from '../testbed/document-host.testbed.js';
import { advanceClock, advanceMonotonicClock, restoreClock } from '#libs/platform/testing';
import type { DocumentFetchOptions } from '../client-document/document-fetch.js';
import type { TrustedIssuer } from '../oauth.module-definition.js';
import { IssuerKeysService, KeysUnavailableError, UnknownKeyError } from './issuer-keys.service.js';

const JSON_TYPE = { 'content-type': 'application/json' };
const HOUR = 3_600_000;

const ec = () => generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const jwk = (kid: string, key: KeyObject = ec()) => ({ ...key.export({ format: 'jwk' }), kid });
const header = (kid?: string, alg = 'ES256') => ({ alg, ...(kid === undefined ? {} : { kid }) });

describe('keys of an issuer', () => {
  beforeAll(() => Logger.overrideLogger(false));

  let host: DocumentHost;
  let service: IssuerKeysService;

  const entry = (members: Partial<TrustedIssuer> = {}): TrustedIssuer => ({
    issuer: host.url('/acme'),
    name: 'Acme',
    clients: ['app'],
    scopes: ['account:read'],
    accounts: 'linked',
    jwksUri: host.url('/keys'),
    privateNetwork: true,
    ...members,
  });
  const open = (trusted: TrustedIssuer, policy: Partial<DocumentFetchOptions> = {}) => {
    const clientDocuments = {
      blockedHosts: [],
      privateHosts: [],
      certificates: [host.certificate],
      ...policy,
    };
    service = new IssuerKeysService({ clientDocuments, trustedIssuers: [trusted] });
    return (kid?: string, alg?: string) => service.find(trusted, header(kid, alg));
  };
  const publish = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    host.answer(path, (_request, response) =>
      response.writeHead(200, { ...JSON_TYPE, ...headers }).end(JSON.stringify(body)),
    );
  const fail = (path: string, status = 500) =>
    host.answer(path, (_request, response) => response.writeHead(status, JSON_TYPE).end('{}'));
  const failureOf = async (found: Promise<unknown>) => {
    const error: unknown = await found.catch((reason: unknown) => reason);
    if (error instanceof KeysUnavailableError) return error.message;
    throw new Error(`not unavailable: ${String(error)}`);
  };

  beforeEach(async () => {
    host = await startDocumentHost();
  });
  afterEach(async () => {
    restoreClock();
    await host.close();
  });

  it('come from jwksUri, once while they are fresh', async () => {
    publish('/keys', { keys: [jwk('a'), jwk('b')] }, { 'cache-control': 'max-age=3600' });
    const find = open(entry());
    const found = await Promise.all([find('a'), find('b'), find('a')]);
    expect(found.map(({ type }) => type)).toEqual(['public', 'public', 'public']);
    advanceMonotonicClock(HOUR - 60_000);
    await find('a');
    expect(host.countOf('/keys')).toBe(1);
    advanceMonotonicClock(61_000);
    await find('a');
    expect(host.countOf('/keys')).toBe(2);
  });

  it.each([
    '/acme/.well-known/openid-configuration',
    '/.well-known/oauth-authorization-server/acme',
  ])('come from the metadata of the issuer, at %s', async (path) => {
    publish(path, { issuer: host.url('/acme'), jwks_uri: host.url('/elsewhere') });
    publish('/elsewhere', { keys: [jwk('a')] });
    const key = await open(entry({ jwksUri: undefined }))('a');
    expect(key.type).toBe('public');
  });

  it.each<[string, object, string]>([
    ['names another issuer', { issuer: 'https://evil.example' }, 'names another issuer'],
    ['names the issuer with a slash', { issuer: '/acme/' }, 'names another issuer'],
    ['has no jwks_uri', { jwks_uri: undefined }, 'has no jwks_uri'],
    [
      'has a jwks_uri inside',
      { jwks_uri: 'https://169.254.169.254/keys' },
      '169.254.169.254 has the special-use address 169.254.169.254',
    ],
    [
      'has a jwks_uri on loopback',
      { jwks_uri: 'https://127.0.0.1/keys' },
      '127.0.0.1 has the special-use address 127.0.0.1',
    ],
    ['has a jwks_uri without TLS', { jwks_uri: 'http://keys.example/keys' }, 'is not an https URL'],
  ])('are not had where the metadata %s', async (_what, changes, reason) => {
    const metadata = { issuer: host.url('/acme'), jwks_uri: host.url('/keys'), ...changes };
    publish('/acme/.well-known/openid-configuration', metadata);
    publish('/keys', { keys: [jwk('a')] });
    expect(await failureOf(open(entry({ jwksUri: undefined }))('a'))).toContain(reason);
    expect(host.countOf('/keys')).toBe(0);
  });

  it('are not had from a private address that the operator did not allow', async () => {
    publish('/keys', { keys: [jwk('a')] });
    const trusted = entry({ jwksUri: 'https://localhost/keys', issuer: 'https://localhost/acme' });
    expect(await failureOf(open({ ...trusted, privateNetwork: false })('a'))).toContain(
      'the keys of Acme cannot be had: localhost has the special-use address',
    );
    expect(host.connections).toBe(0);
  });

  it('are not had from the private address of another issuer, where the metadata points there', async () => {
    const other = await startDocumentHost();
    try {
      const trusted = entry({ jwksUri: undefined });
      const clientDocuments = {
        blockedHosts: [],
        privateHosts: [],
        certificates: [host.certificate],
      };
      const trustedIssuers = [
        trusted,
        entry({ name: 'Globex', issuer: other.url('/globex'), jwksUri: undefined }),
      ];
      service = new IssuerKeysService({ clientDocuments, trustedIssuers });
      const metadata = { issuer: trusted.issuer, jwks_uri: other.url('/inside') };
      publish('/acme/.well-known/openid-configuration', metadata);
      await failureOf(service.find(trusted, header('a')));
      expect(other.connections).toBe(0);
    } finally {
      await other.close();
    }
  });

  it('are had from hosts that are closed to client documents', async () => {
    publish('/keys', { keys: [jwk('a')] });
    const closed = { allowedHosts: ['app.example'], blockedHosts: ['localhost', '*.example'] };
    expect((await open(entry(), closed)('a')).type).toBe('public');
  });

  it.each<[string, (path: string) => unknown]>([
    ['an error', (path) => fail(path)],
    ['404', (path) => fail(path, 404)],
    [
      'a redirect',
      (path) =>
        host.answer(path, (_request, response) =>
          response.writeHead(302, { location: host.url('/moved') }).end(),
        ),
    ],
    ['more than 64 KiB', (path) => publish(path, { keys: [jwk('a')], more: 'x'.repeat(65_536) })],
    ['no JSON', (path) => publish(path, 'x', { 'content-type': 'text/plain' })],
    ['no key set', (path) => publish(path, { keys: 'x' })],
    ['no usable key', (path) => publish(path, { keys: [{ kty: 'oct', k: 'c2VjcmV0' }] })],
    ['private keys alone', (path) => publish(path, { keys: [{ ...jwk('a'), d: 'x' }] })],
  ])('are not had where the answer is %s', async (_what, answer) => {
    publish('/moved', { keys: [jwk('a')] });
    answer('/keys');
    expect(await failureOf(open(entry())('a'))).toMatch(/^the keys of Acme cannot be had: /);
    expect(host.countOf('/moved')).toBe(0);
  });

  it('are used beside others that cannot be', async () => {
    const small = generateKeyPairSync('rsa', { modulusLength: 1024 }).publicKey;
    const keys = [null, { kty: 'AKP', kid: 'a' }, jwk('a', small), { ...jwk('a'), use: 'enc' }];
    publish('/keys', { keys: [...keys, jwk('a')] });
    const find = open(entry());
    expect((await find('a')).algorithm.name).toBe('ECDSA');
    await expect(find('a', 'RS256')).rejects.toThrow(UnknownKeyError);
  });

  it('are one where the header names none, else they have to be named', async () => {
    publish('/keys', { keys: [jwk('a')] });
    await open(entry())();
    publish('/keys', { keys: [jwk('a'), jwk('b')] });
    await expect(open(entry())()).rejects.toThrow(UnknownKeyError);
  });

  it('are over within an hour of their withdrawal, however long they may be cached', async () => {
    publish('/keys', { keys: [jwk('a')] }, { 'cache-control': 'max-age=2419200' });
    const find = open(entry());
    await find('a');
    publish('/keys', { keys: [jwk('b')] });
    advanceMonotonicClock(HOUR);
    await expect(find('a')).rejects.toThrow(UnknownKeyError);
    await find('b');
  });

  it('are over within an hour of the withdrawal of the last one too', async () => {
    publish('/keys', { keys: [jwk('a')] });
    const find = open(entry());
    await find('a');
    publish('/keys', { keys: [] });
    advanceMonotonicClock(HOUR);
    expect(await failureOf(find('a'))).toContain('has no key that can be used');
    fail('/keys');
    advanceMonotonicClock(HOUR);
    expect(await failureOf(find('a'))).toContain('status 500');
  });

  it('follow no change of the clock of the machine', async () => {
    publish('/keys', { keys: [jwk('a')] }, { 'cache-control': 'max-age=3600' });
    const find = open(entry());
    await find('a');
    advanceClock(48 * HOUR);
    await find('a');
    expect(host.countOf('/keys')).toBe(1);
    advanceMonotonicClock(HOUR);
    advanceClock(-96 * HOUR);
    await find('a');
    expect(host.countOf('/keys')).toBe(2);
  });

  it('are fetched again for one that is unknown, once in 30 seconds', async () => {
    publish('/keys', { keys: [jwk('a')] }, { 'cache-control': 'max-age=86400' });
    const find = open(entry());
    await find('a');
    publish('/keys', { keys: [jwk('a'), jwk('b')] });
    // Counted from the last fetch, whatever it was for.
    await expect(find('b')).rejects.toThrow(UnknownKeyError);
    advanceMonotonicClock(29_000);
    await expect(find('b')).rejects.toThrow(UnknownKeyError);
    expect(host.countOf('/keys')).toBe(1);
    advanceMonotonicClock(1_000);
    await Promise.all([find('b'), find('b'), find('a')]);
    const made = Array.from({ length: 20 }, (_, n) => find(`made-up-${n}`));
    const outcomes = await Promise.allSettled(made);
    expect(outcomes.map(({ status }) => status)).toEqual(Array(20).fill('rejected'));
    expect(host.countOf('/keys')).toBe(2);
    // Others are not kept waiting.
    await find('a');
  });

  it('are asked for once in 30 seconds while the issuer fails, and had when it is back', async () => {
    fail('/keys');
    const find = open(entry());
    const first = await Promise.allSettled([find('a'), find('a'), find('b')]);
    expect(first.map(({ status }) => status)).toEqual(Array(3).fill('rejected'));
    publish('/keys', { keys: [jwk('a')] });
    await failureOf(find('a'));
    expect(host.countOf('/keys')).toBe(1);
    advanceMonotonicClock(30_000);
    await find('a');
  });

  it('are counted when they are asked for, usable ones alone', async () => {
    publish('/keys', { keys: [jwk('a'), jwk('b'), { kty: 'oct', k: 'c2VjcmV0' }] });
    open(entry());
    expect([await service.count(entry()), await service.count(entry())]).toEqual([2, 2]);
    expect(host.countOf('/keys')).toBe(2);
    fail('/keys');
    expect(await failureOf(service.count(entry()))).toContain('status 500');
  });

  it('have their fetches counted by outcome', async () => {
    publish('/keys', { keys: [jwk('a')] });
    const find = open(entry());
    expect([...service.fetches]).toEqual([['Acme', { fetched: 0, failed: 0 }]]);
    await Promise.all([find('a'), find('a')]);
    fail('/keys');
    for (let count = 0; count < 2; count += 1) {
      advanceMonotonicClock(HOUR);
      await find('a');
    }
    expect(service.fetches.get('Acme')).toEqual({ fetched: 1, failed: 2 });
  });

  it('serve for a day while no newer ones can be had', async () => {
    publish('/keys', { keys: [jwk('a')] });
    const find = open(entry());
    await find('a');
    fail('/keys');
    advanceMonotonicClock(HOUR);
    await find('a');
    expect(host.countOf('/keys')).toBe(2);
    // Whether the issuer has it by now is unknown.
    expect(await failureOf(find('b'))).toContain('status 500');
    advanceMonotonicClock(23 * HOUR);
    expect(await failureOf(find('a'))).toContain('status 500');
  });
});
