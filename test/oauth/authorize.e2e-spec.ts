import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';

describe('GET /svc/oauth/authorize (contract: Authorization request)', () => {
  let gatehouse: Gatehouse;
  let client: OAuthClient;
  let browser: Browser;

  const ask = (params: Record<string, string | undefined> = {}) =>
    browser.get(client.authorizePath(params));
  /** The error that went back to the client, and that it went nowhere else. */
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
    gatehouse = await startGatehouse();
    client = await OAuthClient.register(gatehouse);
    browser = new Browser(gatehouse);
    await browser.signUp('Ann <b>');
  });
  afterAll(() => gatehouse.stop());

  describe('what the client did wrong and is not told', () => {
    it('missing client_id: 400, no redirect', async () => {
      await refused(client.authorizePath({ client_id: undefined }));
    });

    it.each(['unknown', 'https://', '__proto__', 'a'.repeat(5000), '\u0000', 'x y'])(
      'unknown client_id %#: 400 plain text, unknown OAuth client',
      async (id) => {
        const text = await refused(client.authorizePath({ client_id: id }));
        if (!id.startsWith('https:')) expect(text).toMatch(/^unknown OAuth client/i);
      },
    );

    it('400 | authorize | unknown client: what to do next, and the id of the request', async () => {
      const answer = await ask({ client_id: 'nobody-here' });
      expect(answer.status).toBe(400);
      expect(answer.text).toMatch(/sign out|forget/i);
      expect(answer.text).toMatch(/connect/);
      expect(answer.text).toContain(`(request ${answer.headers['x-request-id']})`);
      expect(answer.text).not.toContain('nobody-here');
    });

    it.each([
      'https://evil.example/cb',
      `${REDIRECT_URI}/`,
      `${REDIRECT_URI}?x=1`,
      `${REDIRECT_URI}#x`,
      'http://127.0.0.1:5555/CB',
      'http://127.0.0.1:5555/cb/../cb',
      'http://localhost:5555/cb',
      'https://127.0.0.1:5555/cb',
      'http://user@127.0.0.1:5555/cb',
      'http://127.0.0.1:5555@evil.example/cb',
      'javascript:alert(1)',
      '//127.0.0.1:5555/cb',
      'http://127.0.0.1:99999/cb',
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
    ['http://127.0.0.1/cb', 'http://127.0.0.1:61234/cb'],
    ['http://127.0.0.1:1/cb', 'http://127.0.0.1/cb'],
    ['http://127.8.8.8/cb', 'http://127.8.8.8:61234/cb'],
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
      ['method unknown', { code_challenge_method: 'S512' }, 'invalid_request'],
      ['challenge too short', { code_challenge: 'a'.repeat(42) }, 'invalid_request'],
      ['challenge too long', { code_challenge: 'a'.repeat(129) }, 'invalid_request'],
      ['challenge of other characters', { code_challenge: '+'.repeat(43) }, 'invalid_request'],
      ['foreign resource', { resource: 'https://evil.example/svc/mcp' }, 'invalid_target'],
      ['resource with a fragment', { resource: 'http://localhost/svc/mcp#x' }, 'invalid_target'],
      ['request object', { request: 'x.y.z' }, 'request_not_supported'],
      ['request_uri', { request_uri: 'urn:x' }, 'request_uri_not_supported'],
      ['prompt none', { prompt: 'none' }, 'login_required'],
    ])('%s', async (_rule, params: Record<string, string | undefined>, error) => {
      const query = await errorAtClient(params);
      expect(query.get('error')).toBe(error);
      expect(query.get('state')).toBe(client.state);
      expect(query.get('code')).toBeNull();
    });

    it.each(['fragment', 'form_post', 'web_message', 'nonsense'])(
      'response_mode %s is not offered, and its answer is in the query',
      async (mode) => {
        const query = await errorAtClient({ response_mode: mode });
        expect(query.get('error')).toMatch(/^(unsupported_response_mode|invalid_request)$/);
      },
    );

    it.each(['scope', 'code_challenge', 'response_type', 'request'])(
      'repeated parameter %s: invalid_request',
      async (name) => {
        const answer = await browser.get(`${client.authorizePath({ [name]: 'x' })}&${name}=y`);
        const query = new URL(answer.headers.location ?? 'about:blank').searchParams;
        expect(query.get('error')).toBe('invalid_request');
        expect(query.get('state')).toBe(client.state);
      },
    );

    it('repeated state is not echoed', async () => {
      const answer = await browser.get(`${client.authorizePath()}&state=other`);
      const query = new URL(answer.headers.location ?? 'about:blank').searchParams;
      expect([query.get('error'), query.get('state')]).toEqual(['invalid_request', null]);
    });

    it.each(['client_id', 'redirect_uri'])('repeated %s: 400, no redirect', async (name) => {
      await refused(
        `${client.authorizePath()}&${name}=${encodeURIComponent('https://evil.example/')}`,
      );
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
    ['empty parameters count as omitted', { resource: '', scope: '', prompt: '' }],
    ['OpenID Connect parameters are ignored', { nonce: 'n', max_age: '0', acr_values: '1' }],
    ['unknown scopes are ignored', { scope: 'account:read openid offline_access nonsense' }],
    ['resource omitted', { resource: undefined }],
    ['state omitted', { state: undefined }],
    ['response_mode query', { response_mode: 'query' }],
  ])('%s: the page is shown', async (_rule, params) => {
    expect((await ask(params)).status).toBe(200);
  });

  it.each(['', '/'])('own resource with "%s" at the end, whatever its case', async (end) => {
    const resource = `${gatehouse.origin.toUpperCase()}/svc/mcp${end}`;
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

  it('signed in: the consent form, everything escaped', async () => {
    const app = await OAuthClient.register(gatehouse, { client_name: '<script>alert(1)</script>' });
    const page = await browser.get(app.authorizePath());
    expect(page.text).toContain('Ann &lt;b&gt;');
    expect(page.text).not.toContain('<script>alert');
    expect(page.text).toContain('name="handle"');
    expect(page.text).toMatch(/method="post"/i);
  });

  it.each([
    [
      'none asked for: all ticked',
      undefined,
      ['account:read', 'tabs:read', 'tabs:write', 'code:run'],
    ],
    ['one asked for: that one ticked', 'tabs:read', ['tabs:read']],
    ['only unknown ones asked for: none ticked', 'openid profile', []],
  ])('%s', async (_rule, scope, ticked) => {
    const page = await ask({ scope });
    const boxes = page.text.match(/<input[^>]*name="scope"[^>]*>/g) ?? [];
    const value = (box: string) => /value="([^"]+)"/.exec(box)?.[1];
    expect(boxes.map(value)).toEqual(['account:read', 'tabs:read', 'tabs:write', 'code:run']);
    expect(boxes.filter((box) => /\schecked/.test(box)).map(value)).toEqual(ticked);
  });

  it.each(['PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH'])('%s: 405 plain text', async (method) => {
    const answer = await browser.send(method, client.authorizePath());
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe('GET, POST');
  });

  it('every path below /svc/oauth/ counts for the visitor, known or not', async () => {
    const limited = await startGatehouse({ RATE_LIMIT_MAX: '3' });
    const visitor = new Browser(limited);
    const paths = ['/svc/oauth/', '/svc/oauth/x', '/svc/oauth/%', '/svc/oauth/authorize'];
    const statuses = [];
    for (const path of paths) statuses.push((await visitor.get(path)).status);
    await limited.stop();
    expect(statuses).toEqual([404, 404, 404, 429]);
  });

  it.each(['x', 'abc/def', '%', '..%2f'])(
    'the library’s resume route is closed: /%s',
    async (rest) => {
      await browser.agent
        .get(`/svc/oauth/authorize/${rest}`)
        .set({ cookie: '_interaction_resume=x' })
        .expect(404);
    },
  );
});
