import { hash } from 'node:crypto';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSigningKey, type Scope, signingKeysText } from '#libs/oauth';
import { ConfigError, readConfig } from './config/config.js';
import { resourcesOf, scopesOf } from './resources.js';

const ROOT = new URL('../../../', import.meta.url);

const scope = { name: 'notes:read', description: 'read your notes' };
const entry = {
  resource: 'https://notes.example/mcp',
  name: 'Notes',
  scopes: [scope],
  tokens: 'opaque',
};
const introspection = { clientId: 'notes', secretSha256: 'a'.repeat(64) };

/** The second entry of another resource, with another scope. */
const other = {
  ...entry,
  resource: 'https://files.example',
  scopes: [{ name: 'files:read', description: 'read your files' }],
};

const inEntry = (number: number, what: string) =>
  `RESOURCES_FILE names a file in whose entry ${number} ${what}`;
const URL_RULE =
  'resource takes an https URL of at most 512 characters, or plain http on loopback, as browsers spell it, without user name, password and fragment';
const NAME_RULE = 'name takes 1 to 64 visible characters';
const SCOPES_RULE = 'scopes takes a list of 1 to 32 scopes { name, description }';
const SCOPE_NAME_RULE =
  'scopes: entry 1: name takes 1 to 64 printable ASCII characters without spaces, quotes and backslashes, but not openid or offline_access';
const TOKENS_RULE = 'tokens takes opaque or jwt';
const INTROSPECTION_RULE =
  'introspection takes an object { clientId, secretSha256 }, or is left out';
const SECRET_RULE =
  'introspection: secretSha256 takes 64 digits 0-9 a-f, the SHA-256 of the secret, not of an empty text';
const NO_MEMBER = 'there is a member that does not exist; remove it';

describe('RESOURCES_FILE', () => {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-resources-'));
  const path = join(folder, 'resources.json');
  afterAll(() => rmSync(folder, { recursive: true }));

  /** Of the start: reading the configuration and fitting the resources together. */
  function started(content: unknown, variables: Record<string, string> = {}) {
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content));
    return resourcesOf(readConfig({ RESOURCES_FILE: path, ...variables }), []);
  }

  function problemsOf(content: unknown, variables?: Record<string, string>) {
    try {
      started(content, variables);
    } catch (error) {
      if (error instanceof ConfigError) return error.problems;
      throw error;
    }
    return [];
  }

  it('is empty without the variable', () => {
    expect(readConfig({}).resources).toEqual([]);
  });

  it.each([
    ['an empty list', []],
    ['one', [entry]],
    ['two', [entry, other]],
    ['one that introspects', [{ ...entry, introspection }]],
    ['plain http on loopback', [{ ...entry, resource: 'http://localhost:4000/mcp' }]],
    ['a query', [{ ...entry, resource: 'https://notes.example/mcp?a=b' }]],
    ['the root, with a slash', [{ ...entry, resource: 'https://notes.example/' }]],
    ['names in other scripts', [{ ...entry, name: 'הערות' }]],
  ])('takes %s', (_what, content) => {
    expect(started(content)).toEqual(content);
  });

  it('takes what docs/guides/resources.md shows', () => {
    const text = readFileSync(new URL('docs/guides/resources.md', ROOT), 'utf8');
    const examples = [...text.matchAll(/```json\n(\[[^]*?)```/g)];
    expect(examples.length).toBeGreaterThan(0);
    for (const [, example] of examples) expect(started(example)).toHaveLength(1);
  });

  it('takes one with JWTs where there are keys, and says so where there are none', async () => {
    const content = [other, { ...entry, tokens: 'jwt' }];
    expect(problemsOf(content)).toEqual([
      'entry 2 of RESOURCES_FILE has jwt for tokens, which takes SIGNING_KEYS_FILE; set that',
    ]);
    const keys = join(folder, 'keys.json');
    const key = await generateSigningKey('ES256');
    writeFileSync(keys, signingKeysText([{ ...key, signsFrom: 1 }]));
    expect(started(content, { SIGNING_KEYS_FILE: keys })).toEqual(content);
  });

  it.each<[string, unknown, string]>([
    ['no JSON', '[', 'RESOURCES_FILE names a file that is not a JSON list'],
    ['no list', entry, 'RESOURCES_FILE names a file that is not a JSON list'],
    ['nothing', '', 'RESOURCES_FILE names a file that is empty'],
    [
      'too many',
      Array.from({ length: 33 }, () => entry),
      'RESOURCES_FILE names a file with more than 32 entries',
    ],
    ['null', [null], inEntry(1, 'there is no object')],
    ['a text', ['notes'], inEntry(1, 'there is no object')],
    ['a list', [[]], inEntry(1, 'there is no object')],
    ['an empty object', [{}], inEntry(1, URL_RULE)],
    ['no resource', [{ ...entry, resource: undefined }], inEntry(1, URL_RULE)],
    ['a path', [{ ...entry, resource: '/notes' }], inEntry(1, URL_RULE)],
    ['plain http', [{ ...entry, resource: 'http://notes.example/' }], inEntry(1, URL_RULE)],
    ['another scheme', [{ ...entry, resource: 'urn:notes' }], inEntry(1, URL_RULE)],
    ['a fragment', [other, { ...entry, resource: 'https://a.example/#' }], inEntry(2, URL_RULE)],
    ['a user name', [{ ...entry, resource: 'https://me@a.example/' }], inEntry(1, URL_RULE)],
    ['capitals', [{ ...entry, resource: 'https://A.example/' }], inEntry(1, URL_RULE)],
    ['a default port', [{ ...entry, resource: 'https://a.example:443/' }], inEntry(1, URL_RULE)],
    ['dots', [{ ...entry, resource: 'https://a.example/a/../b' }], inEntry(1, URL_RULE)],
    ['a backslash', [{ ...entry, resource: 'https://a.example/?\\' }], inEntry(1, URL_RULE)],
    ['a space', [{ ...entry, resource: ' https://a.example/' }], inEntry(1, URL_RULE)],
    [
      'a long URL',
      [{ ...entry, resource: `https://a.example/${'x'.repeat(512)}` }],
      inEntry(1, URL_RULE),
    ],
    ['no name', [{ ...entry, name: '' }], inEntry(1, NAME_RULE)],
    ['an invisible name', [{ ...entry, name: 'No\u200Btes' }], inEntry(1, NAME_RULE)],
    ['no scopes', [{ ...entry, scopes: undefined }], inEntry(1, SCOPES_RULE)],
    ['no scope', [{ ...entry, scopes: [] }], inEntry(1, SCOPES_RULE)],
    ['a scope by name', [{ ...entry, scopes: ['notes:read'] }], inEntry(1, SCOPES_RULE)],
    [
      'too many scopes',
      [
        {
          ...entry,
          scopes: Array.from({ length: 33 }, (_, at) => ({ ...scope, name: `scope:${at}` })),
        },
      ],
      inEntry(1, SCOPES_RULE),
    ],
    [
      'a scope with a space',
      [{ ...entry, scopes: [{ ...scope, name: 'notes read' }] }],
      inEntry(1, SCOPE_NAME_RULE),
    ],
    [
      'a scope of OpenID Connect',
      [{ ...entry, scopes: [{ ...scope, name: 'openid' }] }],
      inEntry(1, SCOPE_NAME_RULE),
    ],
    [
      'a scope without description',
      [{ ...entry, scopes: [{ name: 'notes:read' }] }],
      inEntry(1, 'scopes: entry 1: description takes 1 to 200 visible characters'),
    ],
    [
      'a member too many in a scope',
      [{ ...entry, scopes: [{ ...scope, texts: {} }] }],
      inEntry(1, `scopes: entry 1: ${NO_MEMBER}`),
    ],
    ['other tokens', [{ ...entry, tokens: 'saml' }], inEntry(1, TOKENS_RULE)],
    ['no tokens', [{ ...entry, tokens: undefined }], inEntry(1, TOKENS_RULE)],
    ['a text to introspect', [{ ...entry, introspection: 'on' }], inEntry(1, INTROSPECTION_RULE)],
    ['null to introspect', [{ ...entry, introspection: null }], inEntry(1, INTROSPECTION_RULE)],
    [
      'a client with a colon',
      [{ ...entry, introspection: { ...introspection, clientId: 'a:b' } }],
      inEntry(1, 'introspection: clientId takes 1 to 128 characters of A-Z, a-z, 0-9, - . _ and ~'),
    ],
    [
      'a secret',
      [{ ...entry, introspection: { ...introspection, secretSha256: 'correct-horse' } }],
      inEntry(1, SECRET_RULE),
    ],
    ...['', '\n', '\r\n'].map((nothing): [string, object[], string] => [
      `the hash of ${JSON.stringify(nothing)}`,
      [{ ...entry, introspection: { ...introspection, secretSha256: hash('sha256', nothing) } }],
      inEntry(1, SECRET_RULE),
    ]),
    ['another member', [{ ...entry, secret: 'x' }], inEntry(1, NO_MEMBER)],
  ])('refuses %s', (_what, content, line) => {
    expect(problemsOf(content)).toEqual([line]);
  });

  it('has a line for each entry that is not as it should be', () => {
    expect(problemsOf([{ ...entry, name: '' }, other, { ...entry, tokens: '' }])).toEqual([
      inEntry(1, NAME_RULE),
      inEntry(3, TOKENS_RULE),
    ]);
  });

  it.each<[string, object[], string]>([
    [
      'a resource twice, in two spellings',
      [
        { ...entry, resource: 'https://a.example' },
        { ...other, resource: 'https://a.example/' },
      ],
      'entry 2 of RESOURCES_FILE has the resource of entry 1 of RESOURCES_FILE; remove one of the two',
    ],
    [
      'a scope twice in an entry',
      [{ ...entry, scopes: [scope, scope] }],
      'entry 1 of RESOURCES_FILE has the scope notes:read, as entry 1 of RESOURCES_FILE does; give one of them another name',
    ],
    [
      'a scope of two entries',
      [entry, { ...other, scopes: [scope] }],
      'entry 2 of RESOURCES_FILE has the scope notes:read, as entry 1 of RESOURCES_FILE does; give one of them another name',
    ],
    [
      'a scope of /svc/mcp',
      [{ ...entry, scopes: [{ ...scope, name: 'tabs:read' }] }],
      'entry 1 of RESOURCES_FILE has the scope tabs:read, as /svc/mcp does; give one of them another name',
    ],
    [
      'a client of two entries',
      [
        { ...entry, introspection },
        { ...other, introspection },
      ],
      'entry 2 of RESOURCES_FILE has the introspection clientId of entry 1 of RESOURCES_FILE; give each its own',
    ],
    [
      '/svc/mcp of loopback',
      [{ ...entry, resource: 'http://localhost:3000/svc/mcp' }],
      'entry 1 of RESOURCES_FILE is /svc/mcp or below it, which is a resource without being listed; remove it',
    ],
  ])('refuses %s', (_what, content, line) => {
    expect(problemsOf(content)).toEqual([line]);
  });

  it('/svc/mcp of another service may be a resource, that of a public origin not', () => {
    const variables = { PUBLIC_ORIGINS: 'https://gate.example', TRUSTED_PROXIES: 'loopback' };
    const at = (origin: string) =>
      problemsOf([{ ...entry, resource: `${origin}/svc/mcp` }], variables);
    expect(at('https://other.example')).toEqual([]);
    expect(at('https://gate.example')).toEqual([expect.stringContaining('is /svc/mcp or below')]);
  });

  it('names a file that is not there, and neither path nor content', () => {
    const none = join(folder, 'none');
    expect(() => readConfig({ RESOURCES_FILE: none })).toThrow(
      'RESOURCES_FILE names a file that cannot be read (ENOENT)',
    );
  });
});

describe('the scopes of extensions', () => {
  const started = (...names: unknown[]) => {
    const scopes = names.map((name) => ({ name, description: 'do it' }) as Scope);
    return () =>
      resourcesOf(readConfig({}), [{ scopes: scopes.slice(0, 1) }, { scopes: scopes.slice(1) }]);
  };

  it.each([
    ['acme read', /^the scope "acme read" of extensions has a name that is not 1 to 64 printable /],
    ['', /^the scope "" of extensions has a name that is not /],
    ['openid', /^the scope "openid" of extensions has a name that is not /],
    [7, /^the scope 7 of extensions has a name that is not /],
    ['x'.repeat(65), /^the scope "x{65}" of extensions has a name that is not /],
    ['acme:read', /^the scope "acme:read" of extensions is listed twice; give it another name$/],
    ['tabs:read', /^the scope "tabs:read" of extensions is listed twice; give it another name$/],
  ])('are refused with %j', (name, line) => {
    expect(started('acme:read', name)).toThrow(line);
  });

  it.each([['writes'], ['baseline']])('are refused with a %s that is no flag', (member) => {
    const bad = { name: 'acme:read', description: 'read', [member]: 'yes' } as unknown as Scope;
    expect(() => resourcesOf(readConfig({}), [{ scopes: [bad] }])).toThrow(
      'the scope "acme:read" of extensions has writes or baseline that is neither true nor false',
    );
  });

  it('are taken under other names', () => {
    expect(started('acme:read', 'acme:write')()).toEqual([]);
  });
});

describe('the scopes that clients begin with', () => {
  const acme = [
    { name: 'acme:read', description: 'read', baseline: true },
    { name: 'acme:write', description: 'write', writes: true },
  ];
  const started = (baseline?: string) => {
    const config = readConfig(baseline === undefined ? {} : { BASELINE_SCOPES: baseline });
    resourcesOf(config, [{ scopes: acme }]);
    return scopesOf(config, [{ scopes: acme }]).flatMap((one) => (one.baseline ? [one.name] : []));
  };

  it('are those that are marked, or those of BASELINE_SCOPES', () => {
    expect(started()).toEqual(['account:read', 'tabs:read', 'acme:read']);
    expect(started('acme:write, tabs:read')).toEqual(['tabs:read', 'acme:write']);
  });

  it.each(['notes:read', 'account:reed'])('exist: not %s', (name) => {
    expect(() => started(`account:read,${name}`)).toThrow(
      `BASELINE_SCOPES names ${name}, which is no scope of /svc/mcp; remove it`,
    );
  });
});
