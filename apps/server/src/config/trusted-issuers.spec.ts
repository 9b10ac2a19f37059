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

const NEEDS = 'TRUSTED_ISSUERS_FILE names a file whose entry';

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
    ['no JSON', '[', 'names a file that is not a JSON list of one issuer or more; write [{ … }]'],
    ['no list', ENTRY, 'names a file that is not a JSON list of one issuer or more; write [{ … }]'],
    ['no entry', [], 'names a file that is not a JSON list of one issuer or more; write [{ … }]'],
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
    ['plain http', { issuer: 'http://idp.example' }, 'an issuer: an https URL'],
    ['no URL', { issuer: 'idp' }, 'an issuer: an https URL'],
    ['a query', { issuer: 'https://idp.example/?x' }, 'an issuer: an https URL'],
    ['an empty fragment', { issuer: 'https://idp.example/#' }, 'an issuer: an https URL'],
    ['a password', { issuer: 'https://a:b@idp.example' }, 'an issuer: an https URL'],
    ['a long issuer', { issuer: `https://${'x'.repeat(255)}` }, 'an issuer: an https URL'],
    ['no issuer', { issuer: undefined }, 'an issuer: an https URL'],
    ['no name', { name: '' }, 'a name of 1 to 64'],
    ['an invisible name', { name: 'a\u200bb' }, 'a name of 1 to 64'],
    ['a plain jwksUri', { jwksUri: 'http://idp.example/keys' }, 'an https URL as its jwksUri'],
    ['jwksUri null', { jwksUri: null }, 'an https URL as its jwksUri'],
    ['no clients', { clients: [] }, 'clients: a list of 1 to 100'],
    ['clients as text', { clients: 'app' }, 'clients: a list of 1 to 100'],
    ['a client twice', { clients: ['app', 'app'] }, 'clients: a list of 1 to 100'],
    ['a client that is no text', { clients: [1] }, 'clients: a list of 1 to 100'],
    ['no scopes', { scopes: [] }, 'scopes: a list of 1 to 100'],
    ['two scopes in one', { scopes: ['a b'] }, 'scopes: a list of 1 to 100'],
    ['other accounts', { accounts: 'any' }, 'accounts: linked or create'],
    ['no accounts', { accounts: undefined }, 'accounts: linked or create'],
    ['an empty tenant', { tenant: '' }, 'a tenant of 1 to 255'],
    ['a tenant that is no text', { tenant: 1 }, 'a tenant of 1 to 255'],
    ['tenant null', { tenant: null }, 'a tenant of 1 to 255'],
    ['privateNetwork in words', { privateNetwork: 'yes' }, 'privateNetwork to be true or false'],
    ['a port', { issuer: 'https://idp.example:8443' }, 'privateNetwork: true, since'],
    ['a port of keys', { jwksUri: 'https://idp.example:8443/k' }, 'privateNetwork: true, since'],
    ['something else', { audience: 'x' }, 'to have no members but issuer, name, jwksUri,'],
  ])('is refused with %s, in one sentence about the entry', (_what, changes, need) => {
    const [fault = '', ...others] = faults([
      ENTRY,
      { ...ENTRY, issuer: 'https://b.example', name: 'B', ...changes },
    ]);
    const beginning = `${NEEDS} 2 needs ${need}`;
    expect([fault.slice(0, beginning.length), others]).toEqual([beginning, []]);
  });

  it.each([null, 1, 'x', [ENTRY]])('is refused with an entry that is %j', (entry) => {
    expect(faults([entry])).toEqual([expect.stringMatching(/entry 1 needs (to|an) /)]);
  });

  it('is refused with one issuer, or one name, in two entries', () => {
    expect(faults([ENTRY, { ...ENTRY, name: 'B' }])).toEqual([
      `${NEEDS} 2 needs an issuer that no other entry has; make the two one`,
    ]);
    expect(faults([ENTRY, { ...ENTRY, issuer: 'https://b.example' }])).toEqual([
      `${NEEDS} 2 needs a name that no other entry has`,
    ]);
  });

  it('has a line for each entry with a fault, which repeats nothing of it', () => {
    const found = faults([{ ...ENTRY, name: '' }, ENTRY, { issuer: 'secret' }]);
    expect(found.map((fault) => fault.slice(0, NEEDS.length + 2))).toEqual([
      `${NEEDS} 1`,
      `${NEEDS} 3`,
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
      `${NEEDS} 2 needs other scopes: each has to be one of account:read, tabs:read`,
    ]);
    expect(trustedIssuersOf(config, [...scopes, { name: 'x' }])).toBe(config.trustedIssuers);
  });
});
