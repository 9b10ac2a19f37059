import { generateKeyPairSync } from 'node:crypto';
import {
  appName,
  clientIdUrlFault,
  documentMetadata,
  hostAndPort,
  isDocumentUrl,
  isPossibleDocumentUrl,
  machineMetadata,
  publishedBy,
  registrationMetadata,
  resourceOfMachine,
} from './client.js';

const ID = 'https://app.example/client.json';
const REDIRECTS = { redirect_uris: ['https://app.example/cb'] };
const document = (members: object = {}) => ({
  client_id: ID,
  client_name: 'App',
  ...REDIRECTS,
  ...members,
});
const publicKey = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
const jwks = { keys: [publicKey.export({ format: 'jwk' })] };

/** A registration whose metadata has the given number of characters. */
function requestOf(size: number) {
  const request = (rest: string) => ({
    client_name: 'x'.repeat(200),
    redirect_uris: [...[1, 2, 3, 4, 5, 6, 7].map(longUri), `https://a.test/${rest}`],
  });
  const { length } = JSON.stringify(registrationMetadata(request('')));
  return request('x'.repeat(size - length));
}

const longUri = (n: number) => `https://app.example/${n}/${'x'.repeat(2000)}`;

const GRANT = 'authorization_code';
const SIGNING = { ...REDIRECTS, token_endpoint_auth_method: 'private_key_jwt' };
const DEFAULTS = {
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
};

describe('metadata of a registration', () => {
  it('fills in every default', () => {
    expect(registrationMetadata(REDIRECTS)).toEqual({
      ...REDIRECTS,
      ...DEFAULTS,
      token_endpoint_auth_method: 'client_secret_basic',
    });
  });

  it.each(['', null])('is the same with %j where there is nothing to say', (nothing) => {
    const members = {
      client_name: nothing,
      logo_uri: nothing,
      token_endpoint_auth_method: nothing,
      redirect_uris: [nothing, ...REDIRECTS.redirect_uris, nothing],
      grant_types: [nothing, GRANT],
      response_types: nothing,
    };
    expect(registrationMetadata(members)).toEqual(registrationMetadata(REDIRECTS));
  });

  it('keeps what it knows and drops the rest', () => {
    const known = {
      application_type: 'native',
      client_name: 'App',
      client_uri: 'https://app.example/',
      logo_uri: 'https://app.example/logo.png',
      policy_uri: 'https://app.example/policy',
      tos_uri: 'https://app.example/terms',
      redirect_uris: ['http://127.0.0.9/cb', 'cursor://app/cb', 'https://localhost/cb'],
      ...DEFAULTS,
      token_endpoint_auth_method: 'none',
    };
    const unknown = {
      scope: 'everything offline_access',
      client_id: 'mine',
      client_secret: 'mine',
      client_secret_expires_at: 1,
      client_id_issued_at: 1,
      software_id: 'x',
      software_statement: 'x.y.z',
      id_token_signed_response_alg: 'none',
      subject_type: 'pairwise',
      contacts: ['no address'],
      dpop_bound_access_tokens: true,
      jwks: { keys: 'none' },
      'client_name#de': 'App',
      x: null,
    };
    expect(registrationMetadata({ ...known, ...unknown })).toEqual(known);
  });

  it.each(['none', 'client_secret_basic', 'client_secret_post'])('takes %s', (method) => {
    const metadata = registrationMetadata({ ...REDIRECTS, token_endpoint_auth_method: method });
    expect(metadata.token_endpoint_auth_method).toBe(method);
  });

  it('takes private_key_jwt with keys or with their address', () => {
    const signing = { ...REDIRECTS, token_endpoint_auth_method: 'private_key_jwt' };
    const algorithm = { token_endpoint_auth_signing_alg: 'ES256' };
    const uri = { jwks_uri: 'https://app.example/jwks.json' };
    expect(registrationMetadata({ ...signing, ...algorithm, jwks })).toMatchObject({
      ...algorithm,
      jwks,
    });
    expect(registrationMetadata({ ...signing, ...uri })).toMatchObject(uri);
  });

  it.each([
    ['absent', {}],
    ['null', { grant_types: null, response_types: null, client_name: null }],
    ['empty', { grant_types: [], response_types: [] }],
    ['without refresh_token', { grant_types: ['authorization_code'] }],
    [
      'partly unknown',
      {
        grant_types: ['urn:ietf:params:oauth:grant-type:jwt-bearer', 'authorization_code'],
        response_types: ['code', 'code id_token'],
      },
    ],
  ])('gives the supported types when they are %s', (_what, members) => {
    expect(registrationMetadata({ ...REDIRECTS, ...members })).toMatchObject(DEFAULTS);
  });

  it.each([
    ['nothing', undefined],
    ['a list', []],
    ['a text', 'x'],
    ['grant types that are no list', { ...REDIRECTS, grant_types: 'authorization_code' }],
    ['grant types that are no strings', { ...REDIRECTS, grant_types: [1] }],
    ['unsupported grant types only', { ...REDIRECTS, grant_types: ['client_credentials'] }],
    ['unsupported response types only', { ...REDIRECTS, response_types: ['token'] }],
    ['a name that is no string', { ...REDIRECTS, client_name: 7 }],
    ['an unknown auth method', { ...REDIRECTS, token_endpoint_auth_method: 'tls_client_auth' }],
    ['client_secret_jwt', { ...REDIRECTS, token_endpoint_auth_method: 'client_secret_jwt' }],
    ['an auth method that is no string', { ...REDIRECTS, token_endpoint_auth_method: ['none'] }],
    ['too much', { redirect_uris: [1, 2, 3, 4, 5, 6, 7, 8, 9].map(longUri) }],
  ])('refuses %s', (_what, request) => {
    expect(() => registrationMetadata(request)).toThrow(
      expect.objectContaining({ error: 'invalid_client_metadata' }),
    );
  });

  it.each([
    ['no keys', {}],
    ['both keys and their address', { jwks, jwks_uri: 'https://app.example/jwks' }],
    ['a plain http address', { jwks_uri: 'http://app.example/jwks' }],
    ['an address with credentials', { jwks_uri: 'https://a:b@app.example/jwks' }],
    ['an address that is no string', { jwks_uri: 1 }],
    ['a symmetric algorithm', { jwks, token_endpoint_auth_signing_alg: 'HS256' }],
    ['no algorithm', { jwks, token_endpoint_auth_signing_alg: 'none' }],
  ])('refuses private_key_jwt with %s', (_what, members) => {
    const request = { ...REDIRECTS, token_endpoint_auth_method: 'private_key_jwt', ...members };
    expect(() => registrationMetadata(request)).toThrow(
      expect.objectContaining({ error: 'invalid_client_metadata' }),
    );
  });

  it.each([
    ['none', {}],
    ['an empty list', { redirect_uris: [] }],
    ['a text', { redirect_uris: 'https://app.example/cb' }],
    ['a number', { redirect_uris: [7] }],
    ['one bad one', { redirect_uris: ['https://app.example/cb', 'javascript:alert(1)'] }],
    ['too many', { redirect_uris: Array.from({ length: 51 }, (_, n) => `https://a.test/${n}`) }],
  ])('refuses redirect URIs: %s', (_what, request) => {
    expect(() => registrationMetadata(request)).toThrow(
      expect.objectContaining({
        error: 'invalid_redirect_uri',
        message: expect.stringMatching(/^redirect_uris[ [][\x20-\x21\x23-\x5b\x5d-\x7e]+$/),
      }),
    );
  });

  it('takes 50 redirect URIs, and 16384 characters in all', () => {
    const uris = Array.from({ length: 50 }, (_, n) => `https://a.test/${n}`);
    expect(registrationMetadata({ redirect_uris: uris }).redirect_uris).toEqual(uris);
    expect(JSON.stringify(registrationMetadata(requestOf(16_384)))).toHaveLength(16_384);
    expect(() => registrationMetadata(requestOf(16_385))).toThrow(/at most 16384 characters$/);
  });

  it.each([
    [7, 'client metadata must be a JSON object'],
    [
      { ...REDIRECTS, grant_types: ['implicit'] },
      'grant_types must include one of authorization_code, refresh_token',
    ],
    [{ ...REDIRECTS, response_types: ['token'] }, 'response_types must include code'],
    [{ redirect_uris: ['https://a.test/', {}] }, 'redirect_uris[1] must be a string'],
    [{ ...REDIRECTS, client_name: 7 }, 'client_name must be a string'],
    [{ ...REDIRECTS, grant_types: GRANT }, 'grant_types must be an array of strings'],
    [{ ...REDIRECTS, grant_types: [GRANT, 1] }, 'grant_types must be an array of strings'],
    [
      { ...REDIRECTS, token_endpoint_auth_method: 'tls_client_auth' },
      'one of none, client_secret_basic, client_secret_post, private_key_jwt',
    ],
    [{ ...SIGNING, token_endpoint_auth_signing_alg: 'HS256' }, 'one of RS256, PS256, ES256'],
    [SIGNING, 'private_key_jwt takes either jwks or jwks_uri'],
    [{ ...SIGNING, jwks_uri: 'http://a.test/' }, 'jwks_uri must be an https URL'],
  ])('says what is wrong with %j', (request, message) => {
    expect(() => registrationMetadata(request)).toThrow(message);
  });

  it('keeps repeated redirect URIs once', () => {
    const redirects = ['https://a.test/1', 'https://a.test/2', 'https://a.test/1'];
    const { redirect_uris: kept } = registrationMetadata({ redirect_uris: redirects });
    expect(kept).toEqual(['https://a.test/1', 'https://a.test/2']);
  });

  it.each([
    ['  My\t\n App ', 'My App'],
    ['\u202eppA yM\u202c', 'ppA yM'],
    ['a\u0000b\u200bc\u2028d', 'abc d'],
    ['\u0041\u030a', '\u00c5'],
    ['<b>"App"</b> & Co', '<b>"App"</b> & Co'],
    ['x'.repeat(10_000), 'x'.repeat(200)],
    [`${'x'.repeat(199)}\u{1f600}y`, `${'x'.repeat(199)}\u{1f600}`],
    [` ${'x'.repeat(201)}`, 'x'.repeat(200)],
    [`${'x'.repeat(199)} y`, 'x'.repeat(199)],
    [`${'\u200b'.repeat(2_000)}x`, undefined],
    ['\u200e\u0007 ', undefined],
    ['', undefined],
  ])('shows the name %j as %j', (name, shown) => {
    expect(registrationMetadata({ ...REDIRECTS, client_name: name }).client_name).toBe(shown);
  });

  it('knows native and web applications', () => {
    const typed = (type: string) => registrationMetadata({ ...REDIRECTS, application_type: type });
    expect(typed('web').application_type).toBe('web');
    expect(typed('service')).not.toHaveProperty('application_type');
  });

  it.each([
    'javascript:alert(1)',
    'http://a.test/',
    'javascript:https://a.test/',
    'https://a.test/ now',
    'https://ann@a.test/',
    'https://:pw@a.test/',
    'https://[',
    `https://a.test/${'x'.repeat(2034)}`,
    ['https://a.test/'],
    5,
  ])('drops the unusable address %j', (logo) => {
    expect(registrationMetadata({ ...REDIRECTS, logo_uri: logo })).not.toHaveProperty('logo_uri');
  });

  it('keeps an address of 2048 characters', () => {
    const logo = `https://a.test/${'x'.repeat(2033)}`;
    expect(registrationMetadata({ ...REDIRECTS, logo_uri: logo }).logo_uri).toBe(logo);
  });
});

describe('metadata of a machine client', () => {
  const limits = { scopes: ['account:read'] };
  const fixed = {
    redirect_uris: [],
    grant_types: ['client_credentials'],
    response_types: [],
    machine: limits,
  };

  it('has a secret where it has no keys, and no users', () => {
    const others = { ...REDIRECTS, ...DEFAULTS, machine: { scopes: ['everything'] } };
    expect(machineMetadata({ client_name: 'Robot', ...others }, limits)).toEqual({
      ...fixed,
      client_name: 'Robot',
      token_endpoint_auth_method: 'client_secret_basic',
    });
  });

  it('has keys where it signs', () => {
    const signing = { token_endpoint_auth_method: 'private_key_jwt', jwks };
    expect(machineMetadata(signing, limits)).toEqual({ ...fixed, ...signing });
  });

  it.each([
    ['keys without their method', { jwks }],
    ['keys and the method of secrets', { token_endpoint_auth_method: 'client_secret_basic', jwks }],
    ['the method of keys without keys', { token_endpoint_auth_method: 'private_key_jwt' }],
    [
      'the address of keys',
      { token_endpoint_auth_method: 'private_key_jwt', jwks_uri: 'https://app.example/jwks' },
    ],
  ])('is refused with %s', (_what, members) => {
    expect(() => machineMetadata(members, limits)).toThrow(
      'private_key_jwt takes the public keys of the client, and only that',
    );
  });

  it.each(['none', 'client_secret_post'])('is refused with the method %s', (method) => {
    expect(() => machineMetadata({ token_endpoint_auth_method: method }, limits)).toThrow(
      /must be one of client_secret_basic, private_key_jwt$/,
    );
  });

  it.each([
    [undefined, 'https://gate.example/svc/mcp'],
    ['/notes', 'https://gate.example/notes'],
    ['https://notes.example/', 'https://notes.example/'],
  ])('whose resource is %s asks for %s', (resource, identifier) => {
    expect(resourceOfMachine({ ...limits, resource }, 'https://gate.example')).toBe(identifier);
  });
});

describe('metadata of a document', () => {
  it('means a public client unless it says otherwise', () => {
    expect(documentMetadata(document(), ID)).toEqual({
      ...document(),
      ...DEFAULTS,
      token_endpoint_auth_method: 'none',
    });
  });

  it('takes what well-known assistants publish', () => {
    const chatGpt = document({
      client_uri: 'https://app.example/',
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://app.example/jwks.json',
    });
    expect(documentMetadata(chatGpt, ID)).toMatchObject({
      token_endpoint_auth_method: 'private_key_jwt',
      jwks_uri: 'https://app.example/jwks.json',
    });
  });

  it.each([
    [['none', 'private_key_jwt'], 'none'],
    [['client_secret_basic', 'none'], 'none'],
    [['tls_client_auth', 'private_key_jwt'], 'private_key_jwt'],
  ])('chooses from %j', (choices, method) => {
    const metadata = document({ token_endpoint_auth_methods_supported: choices, jwks });
    expect(documentMetadata(metadata, ID).token_endpoint_auth_method).toBe(method);
  });

  it('falls back on a choice when the preferred method is not offered', () => {
    const metadata = document({
      token_endpoint_auth_method: 'tls_client_auth',
      token_endpoint_auth_methods_supported: ['tls_client_auth', 'none'],
    });
    expect(documentMetadata(metadata, ID).token_endpoint_auth_method).toBe('none');
  });

  it.each([
    ['a list', [document()]],
    ['null', null],
    ['no identifier', { ...REDIRECTS }],
    ['another identifier', document({ client_id: `${ID}/` })],
    [
      'an identifier in another spelling',
      document({ client_id: 'https://APP.example/client.json' }),
    ],
    ['an identifier that is no string', document({ client_id: [ID] })],
    ['a secret', document({ client_secret: 's' })],
    ['the end of a secret', document({ client_secret_expires_at: 0 })],
    ['client_secret_basic', document({ token_endpoint_auth_method: 'client_secret_basic' })],
    ['client_secret_post', document({ token_endpoint_auth_method: 'client_secret_post' })],
    ['client_secret_jwt', document({ token_endpoint_auth_method: 'client_secret_jwt' })],
    [
      'shared secrets only',
      document({ token_endpoint_auth_methods_supported: ['client_secret_basic'] }),
    ],
    ['an auth method without a text', document({ token_endpoint_auth_method: { toString: null } })],
    ['no grant type of ours', document({ grant_types: ['client_credentials'] })],
  ])('refuses %s', (_what, found) => {
    expect(() => documentMetadata(found, ID)).toThrow(
      expect.objectContaining({ error: 'invalid_client_metadata' }),
    );
  });

  it.each([
    [[], 'the document must be a JSON object'],
    [document({ client_id: 7 }), 'client_id must be the URL of the document'],
    [document({ client_secret: 's' }), 'the document must not have a client secret'],
    [
      document({
        token_endpoint_auth_method: 'client_secret_basic',
        token_endpoint_auth_methods_supported: ['none'],
      }),
      'token_endpoint_auth_method must not use a shared secret',
    ],
  ])('says what is wrong with %j', (found, message) => {
    expect(() => documentMetadata(found, ID)).toThrow(message);
  });

  it('refuses a document without redirect URIs', () => {
    expect(() => documentMetadata({ client_id: ID }, ID)).toThrow(
      expect.objectContaining({ error: 'invalid_redirect_uri' }),
    );
  });
});

describe('client identifier URL', () => {
  it.each([
    'https://app.example/client.json',
    'https://app.example/a/b/',
    'https://app.example/%7Eann/client',
    'https://app.example/a..b/.well-known/...',
    'https://xn--bcher-kva.example/client',
    'https://203.0.113.7/client',
    'https://[2001:db8::1]/client',
    `https://app.example/${'a'.repeat(492)}`,
  ])('may be %s', (id) => {
    expect(clientIdUrlFault(id)).toBeUndefined();
  });

  it.each([
    ['http', 'http://app.example/client'],
    ['an upper-case scheme', 'HTTPS://app.example/client'],
    ['an upper-case host', 'https://App.example/client'],
    ['no path', 'https://app.example'],
    ['the root path', 'https://app.example/'],
    ['a dot segment', 'https://app.example/a/./b'],
    ['a dot-dot segment', 'https://app.example/a/../b'],
    ['an encoded dot segment', 'https://app.example/a/%2e/b'],
    ['an encoded dot-dot segment', 'https://app.example/a/.%2E/b'],
    ['a trailing dot-dot segment', 'https://app.example/a/%2e%2e'],
    ['a fragment', 'https://app.example/client#a'],
    ['an empty fragment', 'https://app.example/client#'],
    ['a query', 'https://app.example/client?a=b'],
    ['an empty query', 'https://app.example/client?'],
    ['a user', 'https://ann@app.example/client'],
    ['a user and password', 'https://ann:pw@app.example/client'],
    ['a password', 'https://:pw@app.example/client'],
    ['an empty user', 'https://@app.example/client'],
    ['a port', 'https://app.example:8443/client'],
    ['a written default port', 'https://app.example:443/client'],
    ['an empty port', 'https://app.example:/client'],
    ['a host that ends in a dot', 'https://app.example./client'],
    ['a shorthand address', 'https://127.1/client'],
    ['a decimal address', 'https://2130706433/client'],
    ['a hexadecimal address', 'https://0x7f.0.0.1/client'],
    ['a backslash', 'https://app.example\\client'],
    ['a tab', 'https://app.exam\tple/client'],
    ['a line break', 'https://app.example/client\n'],
    ['a space', 'https://app.example/cli ent'],
    ['letters beyond ASCII', 'https://b\u00fccher.example/client'],
    ['a missing host', 'https:///client'],
    ['no URL at all', 'https://'],
    ['513 characters', `https://app.example/${'a'.repeat(493)}`],
  ])('may not have %s', (_what, id) => {
    expect(clientIdUrlFault(id)).toMatch(/./);
  });

  it('may have the port of a private host', () => {
    const privateHosts = ['localhost:8443', '[::1]:9000'];
    expect(clientIdUrlFault('https://localhost:8443/client', privateHosts)).toBeUndefined();
    expect(clientIdUrlFault('https://[::1]:9000/client', privateHosts)).toBeUndefined();
    expect(clientIdUrlFault('https://localhost:8444/client', privateHosts)).toMatch('port');
  });

  it('may have any port for who does not know the private hosts', () => {
    expect(isPossibleDocumentUrl('https://localhost:8443/client')).toBe(true);
    expect(isPossibleDocumentUrl('https://LOCALHOST:8443/client')).toBe(false);
    expect(isPossibleDocumentUrl('https://')).toBe(false);
  });

  it('differs from a registered identifier by its scheme', () => {
    expect(isDocumentUrl('https://app.example/')).toBe(true);
    expect(isDocumentUrl('http://app.example/')).toBe(false);
    expect(isDocumentUrl('aB3_-')).toBe(false);
  });

  it('names its host and port, also the default one', () => {
    expect(hostAndPort(new URL('https://app.example/client'))).toBe('app.example:443');
    expect(hostAndPort(new URL('https://[::1]:9000/client'))).toBe('[::1]:9000');
  });
});

const URL_ID = 'https://app.example/client.json';

describe('app name', () => {
  it.each([
    ['the name of the client', 'Claude', 'aB3_-', 'Claude'],
    ['the name, trimmed', ' \t Claude\n', 'aB3_-', 'Claude'],
    ['the name of a published client', 'Claude', URL_ID, 'Claude'],
    ['the host of a published client without a name', undefined, URL_ID, 'app.example'],
    ['the host of a published client with an empty name', ' \u00a0 ', URL_ID, 'app.example'],
    ['a constant for a registered client without a name', undefined, 'aB3_-', 'an MCP client'],
    ['a constant for a registered client with an empty name', '  ', 'aB3_-', 'an MCP client'],
    ['a constant for an identifier that is no https URL', '', 'http://a.test/', 'an MCP client'],
    ['80 characters of a long name', 'a'.repeat(81), 'aB3_-', 'a'.repeat(80)],
    ['whole characters', '\u{1f600}'.repeat(81), 'aB3_-', '\u{1f600}'.repeat(80)],
    ['no space at its end', `${'a'.repeat(79)} b`, 'aB3_-', 'a'.repeat(79)],
  ])('is %s', (_what, clientName, clientId, name) => {
    expect(appName({ clientId, clientName })).toBe(name);
  });
});

describe('publisher of a client', () => {
  it.each([
    [URL_ID, 'app.example'],
    ['http://app.example/client.json', null],
    ['aB3_-', null],
  ])('of %s is %s', (clientId, host) => {
    expect(publishedBy(clientId)).toBe(host);
  });
});
