import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

describe('GET /svc/oauth/authorize (contract: Authorization request)', () => {
  const gatehouse = useGatehouse();
  let client: OAuthClient;
  let browser: Browser;

  const ask = (params: Record<string, string | undefined> = {}) =>
    browser.get(client.authorizePath(params));
  /** The error that was returned to the client, and only to the client. */
  const errorAtClient = async (params: Record<string, string | undefined>) => {
    const answer = await ask(params);
    expect(answer.status).toBe(302);
    const location = answer.headers.location ?? '';
    expect(location.startsWith(`${REDIRECT_URI}?`)).toBe(true);
    expect(location).not.toContain('#');
    const query = new URL(location).searchParams;
    expect(query.get('iss')).toBe(gatehouse.origin);
    return query;
  };
  const refused = async (path: string) => {
    const answer = await browser.agent.get(path).expect(400);
    expect(answer.headers.location).toBeUndefined();
    expect(answer.headers['content-type']).toMatch(/^text\/plain/);
    expect(answer.headers['cache-control']).toBe('no-store');
    return answer.text;
  };

  beforeAll(async () => {
    client = await OAuthClient.register(gatehouse);
    browser = new Browser(gatehouse);
    await browser.signUp();
  });

  describe('faults of the client that no redirect reports', () => {
    it.each(['__proto__', 'a'.repeat(5000), '\u0000'])(
      'unknown client_id %#: 400 plain text, unknown OAuth client',
      async (id) => {
        const text = await refused(client.authorizePath({ client_id: id }));
        expect(text).toMatch(/^Unknown OAuth client/);
      },
    );

    // The matching of redirect URIs has a unit spec of its own.
    it.each([
      'https://evil.example/cb',
      `${REDIRECT_URI}?x=1`,
      'http://localhost:5555/cb',
      'http://127.0.0.1:5555@evil.example/cb',
      '%',
    ])('redirect_uri %s is not registered: 400, no redirect', async (redirectUri) => {
      await refused(client.authorizePath({ redirect_uri: redirectUri }));
    });

    it('redirect_uri omitted with one registered: used; with several: 400', async () => {
      expect((await ask({ redirect_uri: undefined })).status).toBe(200);
      const several = await OAuthClient.register(gatehouse, {
        redirect_uris: [REDIRECT_URI, 'https://app.example/cb'],
      });
      await refused(several.authorizePath({ redirect_uri: undefined }));
    });
  });

  it.each([
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1/cb'],
    ['http://localhost/cb', 'http://localhost:61234/cb'],
    ['http://[::1]/cb', 'http://[::1]:61234/cb'],
  ])('registered %s, asked for %s: the loopback port is free', async (registered, asked) => {
    const app = await OAuthClient.register(gatehouse, { redirect_uris: [registered] });
    await browser.agent.get(app.authorizePath({ redirect_uri: asked })).expect(200);
  });

  describe('errors that go back to the client', () => {
    it.each([
      ['response_type missing', { response_type: undefined }, 'invalid_request'],
      ['response_type token', { response_type: 'token' }, 'unsupported_response_type'],
      ['response_type id_token', { response_type: 'id_token' }, 'unsupported_response_type'],
      ['code_challenge missing', { code_challenge: undefined }, 'invalid_request'],
      ['method plain', { code_challenge_method: 'plain' }, 'invalid_request'],
      ['method missing', { code_challenge_method: undefined }, 'invalid_request'],
      ['challenge too short', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
      ['challenge of other characters', { code_challenge: '+'.repeat(43) }, 'invalid_request'],
      ['foreign resource', { resource: 'https://evil.example/svc/mcp' }, 'invalid_target'],
      ['resource with a fragment', { resource: 'http://localhost/svc/mcp#x' }, 'invalid_target'],
      ['request object', { request: 'x.y.z' }, 'request_not_supported'],
      ['request_uri', { request_uri: 'urn:x' }, 'request_uri_not_supported'],
      ['prompt none, signed in', { prompt: 'none' }, 'consent_required'],
    ])('%s', async (_rule, params: Record<string, string | undefined>, error) => {
      const query = await errorAtClient(params);
      expect(query.get('error')).toBe(error);
      expect(query.get('state')).toBe(client.state);
      expect(query.get('code')).toBeNull();
    });

    it('prompt none, signed out: login_required, whatever the cookie of another site says', async () => {
      for (const [whose, headers] of [
        [new Browser(gatehouse), {}],
        [browser, { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' }],
      ] as const) {
        const answer = await whose.get(client.authorizePath({ prompt: 'none' }), headers);
        expect([answer.status, answer.headers['referrer-policy']]).toEqual([302, 'no-referrer']);
        const query = new URL(answer.headers.location ?? 'about:blank').searchParams;
        expect(Object.fromEntries(query)).toEqual({
          error: 'login_required',
          error_description: 'the user is not signed in',
          state: client.state,
          iss: gatehouse.origin,
        });
      }
    });

    it('a response_mode that is not offered: invalid_request in the query', async () => {
      const query = await errorAtClient({ response_mode: 'fragment' });
      expect(query.get('error')).toMatch(/^(unsupported_response_mode|invalid_request)$/);
    });

    it.each(['scope', 'code_challenge'])('repeated parameter %s: invalid_request', async (name) => {
      const answer = await browser.get(`${client.authorizePath({ [name]: 'x' })}&${name}=y`);
      const query = new URL(answer.headers.location ?? 'about:blank').searchParams;
      expect(query.get('error')).toBe('invalid_request');
      expect(query.get('state')).toBe(client.state);
    });

    it('repeated state is not echoed', async () => {
      const answer = await browser.get(`${client.authorizePath()}&state=other`);
      const query = new URL(answer.headers.location ?? 'about:blank').searchParams;
      expect([query.get('error'), query.get('state')]).toEqual(['invalid_request', null]);
    });

    it('repeated redirect_uri: 400, no redirect', async () => {
      await refused(`${client.authorizePath()}&redirect_uri=https%3A%2F%2Fevil.example%2F`);
    });

    it('several resources, one foreign: invalid_target', async () => {
      const own = encodeURIComponent(`${gatehouse.origin}/svc/mcp`);
      const path = `${client.authorizePath()}&resource=${own}&resource=https://evil.example/`;
      const answer = await browser.get(path);
      expect(answer.headers.location).toContain('error=invalid_target');
    });
  });

  it.each([
    ['unknown parameters are ignored', { utm_source: 'x', foo: '' }],
    ['unknown scopes are ignored', { scope: 'account:read openid offline_access nonsense' }],
    ['empty parameters count as omitted', { resource: '', scope: '', prompt: '' }],
    ['resource and state omitted', { resource: undefined, state: undefined }],
  ])('%s: the page is shown', async (_rule, params) => {
    expect((await ask(params)).status).toBe(200);
  });

  it('own resource in another spelling: the page is shown', async () => {
    const resource = `${gatehouse.origin.toUpperCase()}/svc/mcp/`;
    expect((await ask({ resource })).status).toBe(200);
  });

  it('no CORS headers here', async () => {
    const answer = await browser.get(client.authorizePath(), { 'sec-fetch-site': 'same-origin' });
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
  });

  it('the page has the headers of the contract', async () => {
    const page = await ask();
    expect(page.headers).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-store',
      'referrer-policy': 'same-origin',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    const csp = String(page.headers['content-security-policy']);
    for (const directive of [
      "default-src 'none'",
      "connect-src 'self'",
      "form-action 'self' http://127.0.0.1:5555",
      "frame-ancestors 'none'",
      "base-uri 'none'",
    ]) {
      expect(csp).toContain(directive);
    }
    const [, nonce] = /script-src 'nonce-([\w+/=-]+)'/.exec(csp) ?? [];
    expect(csp).toContain(`style-src 'nonce-${nonce}'`);
    expect(String((await ask()).headers['content-security-policy'])).not.toContain(String(nonce));
  });

  it('none of the library’s cookies reaches the browser', async () => {
    expect((await ask()).headers['set-cookie']).toBeUndefined();
    expect((await ask({ response_type: 'token' })).headers['set-cookie']).toBeUndefined();
  });

  it('signed out: the sign-in page names app and host and warns of loopback', async () => {
    const page = await new Browser(gatehouse).get(client.authorizePath());
    expect(page.status).toBe(200);
    expect(page.text).toContain('Test App');
    expect(page.text).toContain('127.0.0.1');
    expect(page.text).toMatch(/maxlength="40"/);
    expect(page.text).not.toContain('name="handle"');
  });

  const ALL = ['account:read', 'tabs:read', 'tabs:write', 'code:run'];

  it.each([
    ['none asked for: all ticked', undefined, ALL],
    ['one asked for: that one ticked', 'tabs:read', ['tabs:read']],
    ['one and unknown ones asked for: that one ticked', 'openid tabs:read', ['tabs:read']],
    ['only unknown ones asked for: all ticked', 'openid offline_access', ALL],
  ])('%s', async (_rule, scope, ticked) => {
    const page = await ask({ scope });
    const boxes = page.text.match(/<input[^>]*name="scope"[^>]*>/g) ?? [];
    const value = (box: string) => /value="([^"]+)"/.exec(box)?.[1];
    expect(boxes.map(value)).toEqual(ALL);
    expect(boxes.filter((box) => /\schecked/.test(box)).map(value)).toEqual(ticked);
  });

  it.each(['HEAD', 'OPTIONS', 'PUT'])('%s: 405 plain text', async (method) => {
    const answer = await browser.send(method, client.authorizePath());
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET, POST');
  });

  it.each(['x', 'abc/def'])('the library’s resume route is closed: /%s', async (rest) => {
    await browser.agent
      .get(`/svc/oauth/authorize/${rest}`)
      .set({ cookie: '_interaction_resume=x' })
      .expect(404);
  });
});
