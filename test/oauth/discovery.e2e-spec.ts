import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse, useGatehouse } from '../support/gatehouse.js';
import { jsonFile } from '../support/json-file.js';
import { MACHINES } from '../support/machine-client.js';
import { OAuthClient } from '../support/oauth-client.js';
import { ProxiedBrowser } from '../support/proxied-browser.js';
import { requestTo } from '../support/request.js';
import { type ListedResource, REPORTS, ResourceFiles } from '../support/resource-files.js';

const SERVER = '/.well-known/oauth-authorization-server';
const RESOURCE = '/.well-known/oauth-protected-resource/svc/mcp';
const SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];
const METHODS = ['none', 'client_secret_basic', 'client_secret_post', 'private_key_jwt'];
const ALGORITHMS = ['RS256', 'PS256', 'ES256', 'Ed25519', 'EdDSA'];

const serverDocument = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/svc/oauth/authorize`,
  token_endpoint: `${issuer}/svc/oauth/token`,
  registration_endpoint: `${issuer}/svc/oauth/register`,
  revocation_endpoint: `${issuer}/svc/oauth/token`,
  protected_resources: [`${issuer}/svc/mcp`],
  scopes_supported: SCOPES,
  ui_locales_supported: ['en', 'de', 'he'],
  response_types_supported: ['code'],
  response_modes_supported: ['query'],
  grant_types_supported: ['authorization_code', 'refresh_token'],
  token_endpoint_auth_methods_supported: METHODS,
  token_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  revocation_endpoint_auth_methods_supported: METHODS,
  revocation_endpoint_auth_signing_alg_values_supported: ALGORITHMS,
  code_challenge_methods_supported: ['S256'],
  authorization_response_iss_parameter_supported: true,
  client_id_metadata_document_supported: true,
});

const resourceDocument = (origin: string) => ({
  resource: `${origin}/svc/mcp`,
  authorization_servers: [origin],
  scopes_supported: SCOPES,
  bearer_methods_supported: ['header'],
  resource_name: 'Gatehouse',
});

const ISSUER = {
  issuer: 'https://idp.example',
  name: 'Acme',
  clients: ['app'],
  scopes: ['account:read', 'reports:read'],
  accounts: 'linked',
};

const { introspection: _introspection, ...SILENT_REPORTS } = REPORTS;
const CODES = ['authorization_code', 'refresh_token'];
const MACHINE_GRANT = 'client_credentials';
const MANAGED_GRANT = 'urn:ietf:params:oauth:grant-type:jwt-bearer';
const TRUSTED = { TRUSTED_ISSUERS_FILE: jsonFile([ISSUER]) };

const listing = (origin: string) => ({
  protected_resources: [`${origin}/svc/mcp`, REPORTS.resource],
  scopes_supported: [...SCOPES, 'reports:read'],
});
const introspection = (origin: string) => ({
  introspection_endpoint: `${origin}/svc/introspect`,
  introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
});
const keys = (origin: string) => ({ jwks_uri: `${origin}/svc/jwks` });
const PROFILE = {
  authorization_grant_profiles_supported: ['urn:ietf:params:oauth:grant-profile:id-jag'],
};

interface Part {
  readonly listed?: readonly ListedResource[];
  readonly variables?: Readonly<Record<string, string>>;
}

/** What settings add to the document of the authorization server. */
const ADDITIONS: [string, Part, (origin: string) => object][] = [
  ['a resource elsewhere', { listed: [{ ...SILENT_REPORTS, tokens: 'opaque' }] }, listing],
  [
    'one whose server introspects',
    { listed: [{ ...REPORTS, tokens: 'opaque' }] },
    (origin) => ({ ...listing(origin), ...introspection(origin) }),
  ],
  [
    'one whose tokens are JWTs',
    { listed: [SILENT_REPORTS] },
    (origin) => ({ ...listing(origin), ...keys(origin) }),
  ],
  [
    'machine clients',
    { variables: MACHINES },
    () => ({ grant_types_supported: [...CODES, MACHINE_GRANT] }),
  ],
  [
    'trusted issuers',
    { variables: { TRUSTED_ISSUERS_FILE: jsonFile([{ ...ISSUER, scopes: SCOPES }]) } },
    () => ({ grant_types_supported: [...CODES, MANAGED_GRANT], ...PROFILE }),
  ],
  ['links to sign in elsewhere', { variables: { SIGN_IN_LINKS: 'Company=/company' } }, () => ({})],
  [
    'all of these',
    {
      listed: [REPORTS],
      variables: { ...MACHINES, ...TRUSTED, SIGN_IN_LINKS: 'Company=/company' },
    },
    (origin) => ({
      ...listing(origin),
      ...introspection(origin),
      ...keys(origin),
      grant_types_supported: [...CODES, MACHINE_GRANT, MANAGED_GRANT],
      ...PROFILE,
    }),
  ],
];

describe('discovery (contract: Discovery)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
  });

  it('the document of the authorization server, to the letter and nothing of OpenID', async () => {
    const answer = await requestTo(gatehouse).get(SERVER).expect(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toEqual(serverDocument(gatehouse.origin));
  });

  it.each(ADDITIONS)(
    'to the letter also with %s; the one of /svc/mcp is the same',
    async (_what, { listed = [], variables = {} }, added) => {
      const files = await ResourceFiles.of(...listed);
      const { RESOURCES_FILE, SIGNING_KEYS_FILE } = files.variables;
      const configured = await startGatehouse({
        ...(listed.length > 0 && { RESOURCES_FILE }),
        ...(listed.some(({ tokens }) => tokens === 'jwt') && { SIGNING_KEYS_FILE }),
        ...variables,
      } as Record<string, string>);
      try {
        const { origin } = configured;
        const { body } = await requestTo(configured).get(SERVER).expect(200);
        expect(body).toEqual({ ...serverDocument(origin), ...added(origin) });
        const own = await requestTo(configured).get(RESOURCE).expect(200);
        expect(own.body).toEqual(resourceDocument(origin));
      } finally {
        await configured.stop();
        files.remove();
      }
    },
  );

  it('the document of the protected resource, to the letter', async () => {
    const answer = await requestTo(gatehouse).get(RESOURCE).expect(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.body).toEqual(resourceDocument(gatehouse.origin));
  });

  it('resource_name is the name of the service', async () => {
    const named = await startGatehouse({ SERVICE_NAME: 'Haus "Zwei" <b>' });
    try {
      const { body } = await requestTo(named).get(RESOURCE);
      expect(body.resource_name).toBe('Haus "Zwei" <b>');
    } finally {
      await named.stop();
    }
  });

  it('offline_access and openid are in no challenge either', async () => {
    const challenge = await browser.post('/svc/mcp', '{}', { 'content-type': 'application/json' });
    expect(challenge.status).toBe(401);
    expect(challenge.headers['www-authenticate']).toMatch(/scope="account:read/);
    expect(challenge.headers['www-authenticate']).not.toMatch(/offline_access|openid/);
  });

  it('the challenge asks for the baseline alone, with and without a token', async () => {
    const client = await OAuthClient.register(gatehouse);
    const type = { 'content-type': 'application/json' };
    const challenges = [
      await browser.post('/svc/mcp', '{}', type),
      await client.mcp('x'.repeat(43)),
    ];
    for (const { status, headers } of challenges) {
      expect(status).toBe(401);
      expect(headers['www-authenticate']).toContain('scope="account:read tabs:read"');
    }
    const narrowed = await startGatehouse({ BASELINE_SCOPES: 'tabs:write,account:read' });
    try {
      const answer = await requestTo(narrowed).post('/svc/mcp').set(type).send('{}');
      expect(answer.get('www-authenticate')).toContain('scope="account:read tabs:write"');
      const { body } = await requestTo(narrowed).get(RESOURCE);
      expect(body.scopes_supported).toEqual(resourceDocument('').scopes_supported);
    } finally {
      await narrowed.stop();
    }
  });

  it('every endpoint of the document is there', async () => {
    const document = serverDocument(gatehouse.origin);
    const { pathname: token } = new URL(document.token_endpoint);
    const { pathname: register } = new URL(document.registration_endpoint);
    const { pathname: authorize } = new URL(document.authorization_endpoint);
    await requestTo(gatehouse).post(token).expect(400);
    await requestTo(gatehouse).post(register).expect(400);
    await requestTo(gatehouse).get(authorize).expect(400);
  });

  describe.each([SERVER, RESOURCE])('%s', (path) => {
    it('GET and HEAD have the same headers, and HEAD no body', async () => {
      const [get, head] = [await browser.get(path), await browser.send('HEAD', path)];
      expect([head.status, head.text]).toEqual([200, '']);
      expect(head.headers['content-length']).toBe(get.headers['content-length']);
      for (const { headers } of [get, head]) {
        expect(headers['cache-control']).toBe('no-store');
        expect(headers['content-type']).toMatch(/^application\/json/);
        expect(headers['x-content-type-options']).toBe('nosniff');
        expect(headers['access-control-allow-origin']).toBe('*');
        expect(headers['access-control-allow-credentials']).toBeUndefined();
        expect(headers['set-cookie']).toBeUndefined();
      }
    });

    it('OPTIONS: 204 for a preflight of any origin', async () => {
      const preflight = requestTo(gatehouse).options(path).set({
        origin: 'https://inspector.example',
        'access-control-request-method': 'GET',
        'access-control-request-headers': 'mcp-protocol-version',
      });
      const { headers } = await preflight.expect(204, '');
      expect(headers).toMatchObject({
        'access-control-allow-origin': '*',
        'access-control-allow-methods': 'GET, HEAD',
        'access-control-allow-headers': expect.stringMatching(/mcp-protocol-version/i),
        allow: 'GET, HEAD, OPTIONS',
        'cache-control': 'no-store',
      });
    });

    it.each(['POST', 'PUT'])('%s: 405 with Allow', async (method) => {
      const answer = await browser.send(method, path);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect(answer.headers['content-type']).toMatch(/^text\/plain/);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.headers['cache-control']).toBe('no-store');
    });

    it('the answer does not depend on cookie, query, Origin or a condition', async () => {
      const { text } = await requestTo(gatehouse).get(path);
      await browser.agent
        .get(`${path}?issuer=https://evil.example`)
        .set({
          cookie: 'session=x',
          origin: 'https://evil.example',
          'if-none-match': '*',
          'x-forwarded-host': 'evil.example',
        })
        .expect(200, text);
    });
  });

  it.each([
    `${SERVER}/svc/mcp`,
    `${RESOURCE}//`,
    '/.well-known/oauth-protected-resource',
    '/.well-known/oauth-unknown',
    '/.well-known/openid-configuration',
    '/svc/mcp/.well-known/openid-configuration',
  ])('%s: 404', async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await browser.send(method, path);
      // Below /svc/mcp/ the resource server answers other methods, which requires a token first.
      const isRefused = path.startsWith('/svc/mcp/') && method !== 'GET';
      expect(answer.status).toBe(isRefused ? 401 : 404);
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).not.toContain('authorization_endpoint');
    }
  });

  it.each(['', 'token/', 'register/x', 'TOKEN', 'jwks', '%'])(
    'an unknown path /svc/oauth/%s: 404 plain text',
    async (rest) => {
      for (const method of ['GET', 'POST', 'OPTIONS']) {
        const answer = await browser.send(method, `/svc/oauth/${rest}`);
        expect([answer.status, answer.text]).toEqual([404, 'not found']);
        expect(answer.headers['content-type']).toMatch(/^text\/plain/);
        expect(answer.headers['cache-control']).toBe('no-store');
      }
    },
  );

  it.each(['x', 'register/x', 'authorize'])(
    'no CORS beyond the endpoints that pages call: /svc/oauth/%s',
    async (rest) => {
      const { headers } = await browser.get(`/svc/oauth/${rest}`);
      expect(headers['access-control-allow-origin']).toBeUndefined();
    },
  );

  describe('two origins, two documents, each true of itself (contract: Origin)', () => {
    it('on loopback', async () => {
      for (const host of ['localhost', '127.0.0.1', 'app.localhost', '[::1]', 'LOCALHOST']) {
        const origin = `http://${host.toLowerCase()}:${gatehouse.port}`;
        const headers = { host: `${host}:${gatehouse.port}` };
        const [server, resource] = [
          await browser.get(SERVER, headers),
          await browser.get(RESOURCE, headers),
        ];
        expect(server.json()).toEqual(serverDocument(origin));
        expect(resource.json()).toEqual(resourceDocument(origin));
      }
    });

    it('behind a proxy, with https in every URL and the default port in none', async () => {
      const origins = ['https://one.example', 'https://two.example:8443'];
      const behind = await startGatehouse({
        PUBLIC_ORIGINS: origins.join(),
        TRUSTED_PROXIES: 'loopback',
      });
      try {
        for (const origin of origins) {
          const there = new ProxiedBrowser(behind, origin);
          expect((await there.get(SERVER)).json()).toEqual(serverDocument(origin));
          expect((await there.get(RESOURCE)).json()).toEqual(resourceDocument(origin));
        }
        const spelt = new ProxiedBrowser(behind, 'https://one.example');
        const answer = await spelt.get(SERVER, { 'x-forwarded-host': 'ONE.example:443' });
        expect(answer.json()['issuer']).toBe('https://one.example');
        const foreign = await spelt.agent
          .get(SERVER)
          .set({ 'x-forwarded-host': 'evil.example' })
          .expect(421);
        expect(foreign.text).not.toContain('evil');
      } finally {
        await behind.stop();
      }
    });

    it('a code of one origin is nothing on the other', async () => {
      const client = await OAuthClient.register(gatehouse);
      const here = new Browser(gatehouse);
      await here.signUp();
      const code = await client.authorize(here);
      const elsewhere = { host: `127.0.0.1:${gatehouse.port}` };
      const params = { grant_type: 'authorization_code', code, code_verifier: client.verifier };
      const answer = await client.token(params, elsewhere);
      expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant']);
      expect((await client.exchange(code)).status).toBe(200);
    });
  });

  describe('the visitor limit (contract: Visitor limit)', () => {
    let strict: Gatehouse;

    beforeEach(async () => {
      strict = await startGatehouse({ RATE_LIMIT_MAX: '5', RATE_LIMIT_PERIOD: '3600' });
    });
    afterEach(() => strict.stop());

    it('counts everything under /svc/oauth/, unknown paths and refusals too; 429 then', async () => {
      const visitor = new Browser(strict);
      const visits = [
        ['GET', '/svc/oauth/%'],
        ['GET', '/svc/oauth/a//b'],
        ['OPTIONS', '/svc/oauth/token'],
        ['PUT', '/svc/oauth/register'],
        ['GET', '/svc/oauth/authorize'],
      ] as const;
      for (const [method, path] of visits) {
        expect((await visitor.send(method, path)).status).not.toBe(429);
      }
      for (const [method, path] of [...visits, ['POST', '/svc/auth/login/options'] as const]) {
        const answer = await visitor.send(method, path);
        expect([answer.status, answer.headers['retry-after']]).toEqual([429, '3600']);
        expect(answer.headers['cache-control']).toBe('no-store');
        if (path.startsWith('/svc/oauth/')) {
          expect(answer.headers['content-type']).toMatch(/^text\/plain/);
        }
      }
    });

    it('does not count discovery', async () => {
      const visitor = new Browser(strict);
      for (let visit = 0; visit < 12; visit += 1) {
        await visitor.agent.get(visit % 2 ? SERVER : RESOURCE).expect(200);
      }
      await visitor.agent.get('/svc/oauth/unknown').expect(404);
    });
  });
});
