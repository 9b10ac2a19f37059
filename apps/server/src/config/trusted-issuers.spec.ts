import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ConfigError, readConfig, trustedIssuersOf } from './config.js';

const ENTRY = {
  issuer: 'https://idp.example/acme',
  name: 'Acme',
  clients: ['app'],
  scopes: ['account:read'],
  accounts: 'linked',
};

const FAULT = 'TRUSTED_ISSUERS_FILE names a file in whose entry';

describe('TRUSTED_ISSUERS_FILE', () => {
  let folder: string;

  const read = (content: unknown) => {
    const path = join(folder, 'issuers.json');
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return readConfig({ TRUSTED_ISSUERS_FILE: path });
  };
  const faultsOf = (act: () => unknown) => {
    try {
      act();
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  };
  const faults = (content: unknown) => faultsOf(() => read(content));

  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'issuers-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  const guide = readFileSync(
    new URL('../../../../docs/guides/managed-access.md', import.meta.url),
    'utf8',
  );

  it('is as docs/guides/managed-access.md shows it', () => {
    const [, json = ''] = /^```json\n([^]*?)^```$/m.exec(guide) ?? [];
    expect(read(json).trustedIssuers).toEqual(JSON.parse(json));
  });

  it.each(['Okta', 'Keycloak'])('takes the settings that the guide names for %s', (provider) => {
    const item = guide.split('\n').find((line) => line.startsWith(`- **${provider}**`)) ?? '';
    const [, issuer] = /`issuer` is [^`]*`(https:[^`]+)`/.exec(item) ?? [];
    const network = /`("privateNetwork": true)`/.exec(item)?.[1] ?? '';
    const entry = { ...ENTRY, issuer, ...(JSON.parse(`{${network}}`) as object) };
    expect(read([entry]).trustedIssuers).toEqual([entry]);
  });

  it('has none by default', () => {
    expect(readConfig({}).trustedIssuers).toBeUndefined();
  });

  it('has entries with and without what may be left out', () => {
    const entries = [
      ENTRY,
      {
        ...ENTRY,
        issuer: 'https://idp.corp.example:8443',
        name: 'Inside',
        jwksUri: 'https://idp.corp.example:8443/keys?v=1',
        clients: ['app', 'https://app.example/client.json'],
        accounts: 'create',
        tenant: 'corp',
        privateNetwork: true,
      },
    ];
    expect(read(entries).trustedIssuers).toEqual(entries);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '[', 'names a file that is not a JSON list'],
    ['no list', ENTRY, 'names a file that is not a JSON list'],
    ['no entry', [], 'names a file whose list is empty'],
    ['nothing', '', 'names a file that is empty'],
    ['too much', 'x'.repeat(65_537), 'names a file of more than 65536 bytes'],
  ])('is refused with %s', (_what, content, fault) => {
    expect(faults(content)).toEqual([`TRUSTED_ISSUERS_FILE ${fault}`]);
  });

  it('is refused when it is not there', () => {
    const path = join(folder, 'none.json');
    expect(faultsOf(() => readConfig({ TRUSTED_ISSUERS_FILE: path }))).toEqual([
      'TRUSTED_ISSUERS_FILE names a file that cannot be read (ENOENT)',
    ]);
  });

  it.each<[string, object, string]>([
    ['plain http', { issuer: 'http://idp.example' }, 'issuer takes an https URL'],
    ['no URL', { issuer: 'idp' }, 'issuer takes an https URL'],
    ['a query', { issuer: 'https://idp.example/?x' }, 'issuer takes an https URL'],
    ['an empty fragment', { issuer: 'https://idp.example/#' }, 'issuer takes an https URL'],
    ['a password', { issuer: 'https://a:b@idp.example' }, 'issuer takes an https URL'],
    ['a long issuer', { issuer: `https://${'x'.repeat(255)}` }, 'issuer takes an https URL'],
    ['no issuer', { issuer: undefined }, 'issuer takes an https URL'],
    ['no name', { name: '' }, 'name takes 1 to 64'],
    ['an invisible name', { name: 'a\u200bb' }, 'name takes 1 to 64'],
    ['a plain jwksUri', { jwksUri: 'http://idp.example/keys' }, 'jwksUri takes an https URL'],
    ['jwksUri null', { jwksUri: null }, 'jwksUri takes an https URL'],
    ['no clients', { clients: [] }, 'clients takes a list of 1 to 100'],
    ['clients as text', { clients: 'app' }, 'clients takes a list of 1 to 100'],
    ['a client twice', { clients: ['app', 'app'] }, 'clients takes a list of 1 to 100'],
    ['a client that is no text', { clients: [1] }, 'clients takes a list of 1 to 100'],
    ['no scopes', { scopes: [] }, 'scopes takes a list of 1 to 100'],
    ['two scopes in one', { scopes: ['a b'] }, 'scopes takes a list of 1 to 100'],
    ['other accounts', { accounts: 'any' }, 'accounts takes linked or create'],
    ['no accounts', { accounts: undefined }, 'accounts takes linked or create'],
    ['an empty tenant', { tenant: '' }, 'tenant takes 1 to 255'],
    ['a tenant that is no text', { tenant: 1 }, 'tenant takes 1 to 255'],
    ['tenant null', { tenant: null }, 'tenant takes 1 to 255'],
    ['privateNetwork in words', { privateNetwork: 'yes' }, 'privateNetwork takes true or false'],
    ['a port', { issuer: 'https://idp.example:8443' }, 'issuer takes an https URL'],
    ['a port of keys', { jwksUri: 'https://idp.example:8443/k' }, 'jwksUri takes an https URL'],
    ['something else', { audience: 'x' }, 'there is a member that does not exist'],
  ])('is refused with %s, in one sentence about the entry', (_what, changes, what) => {
    const [fault = '', ...others] = faults([
      ENTRY,
      { ...ENTRY, issuer: 'https://b.example', name: 'B', ...changes },
    ]);
    const beginning = `${FAULT} 2 ${what}`;
    expect([fault.slice(0, beginning.length), others]).toEqual([beginning, []]);
  });

  it.each([null, 1, 'x', [ENTRY]])('is refused with an entry that is %j', (entry) => {
    expect(faults([entry])).toEqual([
      expect.stringMatching(/entry 1 (there is no object|issuer takes)/),
    ]);
  });

  it('is refused with one issuer, or one name, in two entries', () => {
    expect(faults([ENTRY, { ...ENTRY, name: 'B' }])).toEqual([
      'TRUSTED_ISSUERS_FILE has one issuer twice',
    ]);
    expect(faults([ENTRY, { ...ENTRY, issuer: 'https://b.example' }])).toEqual([
      'TRUSTED_ISSUERS_FILE has one name twice',
    ]);
  });

  it('has a line for each entry with a fault, which repeats nothing of it', () => {
    const found = faults([{ ...ENTRY, name: '' }, ENTRY, { issuer: 'secret' }]);
    expect(found.map((fault) => fault.slice(0, FAULT.length + 2))).toEqual([
      `${FAULT} 1`,
      `${FAULT} 3`,
    ]);
    expect(found.join()).not.toContain('secret');
  });

  it('is refused with a scope that no resource has', () => {
    const config = read([
      ENTRY,
      { ...ENTRY, issuer: 'https://b.example', name: 'B', scopes: ['x'] },
    ]);
    const scopes = [{ name: 'account:read' }, { name: 'tabs:read' }];
    expect(faultsOf(() => trustedIssuersOf(config, scopes))).toEqual([
      `${FAULT} 2 each of scopes has to be one of account:read, tabs:read`,
    ]);
    expect(trustedIssuersOf(config, [...scopes, { name: 'x' }])).toBe(config.trustedIssuers);
  });
});
