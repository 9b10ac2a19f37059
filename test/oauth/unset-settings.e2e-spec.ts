import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { JWT_BEARER } from '../support/managed-access.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

const SCOPES = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];
const ELSEWHERE = 'https://notes.example/mcp';
const UNKNOWN = 'resource+indicator+is+missing%2C+or+unknown';
const FRAGMENT = 'resource+indicator+must+not+contain+a+fragment+component';
const UNSUPPORTED = {
  error: 'unsupported_grant_type',
  error_description: 'unsupported grant_type requested',
};

/** Without what no two answers have in common. */
const comparable = ({ status, text, headers }: Answer) => {
  const { date: _date, 'x-request-id': _id, ...rest } = headers;
  return { status, text, headers: rest };
};

/** What the service answered before it had these settings; discovery.e2e-spec.ts has the metadata. */
describe('without further resources, keys, machine clients, trusted issuers and links to sign in', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;
  let confidential: OAuthClient;
  let own: string;

  beforeAll(async () => {
    own = `${gatehouse.origin}/svc/mcp`;
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    const metadata = { token_endpoint_auth_method: 'client_secret_post' };
    confidential = await OAuthClient.register(gatehouse, metadata);
  });

  it.each([
    ['/svc/jwks', '/svc/nothing'],
    ['/svc/introspect', '/svc/nothing'],
    ['/svc/me/managed-apps', '/svc/me/nothing'],
  ])('%s is as unknown as %s, in any method', async (path, unknown) => {
    for (const method of ['GET', 'HEAD', 'POST', 'DELETE', 'OPTIONS']) {
      const headers = { origin: gatehouse.origin };
      const answer = await browser.send(method, path, undefined, headers);
      expect([method, answer.status]).toEqual([method, 404]);
      const other = await browser.send(method, unknown, undefined, headers);
      expect(comparable(answer)).toEqual(comparable(other));
    }
  });

  it.each([
    ['client_credentials', {}],
    ['client_credentials', { scope: 'code:run' }],
    [JWT_BEARER, { assertion: 'a.b.c' }],
    [JWT_BEARER, {}],
  ])('the token endpoint does not know %s with %j', async (grantType, params) => {
    for (const one of [client, confidential]) {
      const answer = await one.token({ grant_type: grantType, ...params });
      expect([answer.status, answer.json()]).toEqual([400, UNSUPPORTED]);
    }
  });

  it('no client registers for these grants', async () => {
    const register = (...grantTypes: string[]) =>
      client.post(
        '/svc/oauth/register',
        JSON.stringify({ redirect_uris: [REDIRECT_URI], grant_types: grantTypes }),
        { 'content-type': 'application/json' },
      );
    const alone = await register('client_credentials');
    expect([alone.status, alone.json()]).toEqual([
      400,
      {
        error: 'invalid_client_metadata',
        error_description: 'grant_types must include one of authorization_code, refresh_token',
      },
    ]);
    const beside = await register('authorization_code', 'client_credentials', JWT_BEARER);
    expect([beside.status, beside.json()['grant_types']]).toEqual([
      201,
      ['authorization_code', 'refresh_token'],
    ]);
  });

  it.each<[string, (mcp: string) => string[], string | undefined]>([
    ['none', () => [], undefined],
    ['that of the service', (mcp) => [mcp], undefined],
    ['the same twice', (mcp) => [mcp, `${mcp}/`], undefined],
    ['another', () => [ELSEWHERE], UNKNOWN],
    ['another beside it', (mcp) => [mcp, ELSEWHERE], UNKNOWN],
    ['one with a fragment', (mcp) => [`${mcp}#x`], FRAGMENT],
  ])('authorize with a resource, %s', async (_what, resources, description) => {
    const query = new URLSearchParams(
      resources(own).map((one): [string, string] => ['resource', one]),
    );
    const answer = await browser.get(`${client.authorizePath()}&${query}`);
    const refusal = `${REDIRECT_URI}?error=invalid_target&error_description=${description}&state=${client.state}&iss=${encodeURIComponent(gatehouse.origin)}`;
    expect([answer.status, answer.headers.location]).toEqual(
      description === undefined ? [200, undefined] : [302, refusal],
    );
  });

  it('a token request for another resource, which uses nothing up', async () => {
    const refusal = [
      400,
      { error: 'invalid_target', error_description: `the only resource here is ${own}` },
    ];
    const code = await client.authorize(browser, SCOPES);
    const early = await client.exchange(code, { resource: ELSEWHERE });
    expect([early.status, early.json()]).toEqual(refusal);
    const tokens = (await client.exchange(code, { resource: `${own}/` })).json<object>();
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{22}~[\w-]{41}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: SCOPES.join(' '),
      resource: own,
    });
    const { refresh_token: token } = tokens as { refresh_token: string };
    const late = await client.refresh(token, { resource: ELSEWHERE });
    expect([late.status, late.json()]).toEqual(refusal);
    expect((await client.refresh(token)).status).toBe(200);
  });

  it('pages have nothing of it, and an account its members', async () => {
    await client.connect(browser);
    const visitor = new Browser(gatehouse);
    const pages = [
      await visitor.get(client.authorizePath()),
      await visitor.get('/svc/account'),
      await browser.get(client.authorizePath()),
      await browser.get('/svc/account'),
    ];
    for (const { status, headers, text } of pages) {
      expect([status, headers['set-cookie']]).toEqual([200, undefined]);
      const [body = ''] = text.split('<script');
      expect(body).not.toMatch(
        /sign-in-links|data-managed|data-slot="(?:resource|for)"|id="resource"/,
      );
    }
    expect((await browser.get('/svc/auth/me')).json()).toEqual({
      user: { id: expect.any(String), displayName: 'Ann' },
      budget: { used: 0, limit: 1000, resetsAt: expect.any(String) },
    });
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: object[] }>();
    expect(apps).toEqual([
      {
        id: expect.any(String),
        app: 'Test App',
        redirectHost: '127.0.0.1',
        published: null,
        scope: ['account:read'],
        createdAt: expect.any(Number),
        expiresAt: expect.any(Number),
      },
    ]);
  });
});
