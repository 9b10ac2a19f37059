import { randomUUID } from 'node:crypto';
import { Browser } from '../../support/browser.js';
import { useGatehouse } from '../../support/gatehouse.js';
import { OAuthClient, REDIRECT_URI } from '../../support/oauth-client.js';
import { type PublishedClients, startPublishedClients } from '../../support/published-clients.js';

const REGISTER = '/svc/oauth/register';
const JSON_TYPE = { 'content-type': 'application/json' };
const LOOPBACK = { redirect_uris: ['http://127.0.0.1:33418'] };
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);
const NOT_UTF8 = Buffer.from([0x22, 0xff, 0xfe, 0x22]);

const json = (metadata: object) => Buffer.from(JSON.stringify(metadata));

describe('what clients send to register and connect (contract: What is forgiven)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });

  const send = async (method: string, path: string, body?: Buffer) =>
    (await OAuthClient.register(gatehouse)).send(method, path, body as never, body && JSON_TYPE);
  const get = (path: string) => send('GET', path);

  describe('metadata (contract: Client registration)', () => {
    const every = (value: unknown) =>
      Object.fromEntries(
        [
          'client_name',
          'client_uri',
          'logo_uri',
          'policy_uri',
          'tos_uri',
          'application_type',
          'grant_types',
          'response_types',
          'token_endpoint_auth_method',
          'token_endpoint_auth_methods_supported',
          'token_endpoint_auth_signing_alg',
          'jwks',
          'jwks_uri',
          'scope',
          'contacts',
          'software_id',
          'software_version',
          'software_statement',
        ].map((member) => [member, value]),
      );

    it.each<[string, object]>([
      ['VS Code', { token_endpoint_auth_method: '', scope: '', client_uri: '' }],
      ['a client in Go whose settings are empty', every('')],
      ['a client in Java whose settings are null', every(null)],
      ['empty entries', { ...every(null), grant_types: ['', null], response_types: [''] }],
      ['empty redirect URIs beside one', { redirect_uris: ['', REDIRECT_URI, null] }],
    ])('%s: what is empty or null is absent', async (_client, metadata) => {
      const answer = await send('POST', REGISTER, json({ ...LOOPBACK, ...metadata }));
      expect([answer.status, answer.json()]).toEqual([
        201,
        expect.objectContaining({ token_endpoint_auth_method: 'client_secret_basic' }),
      ]);
      expect(answer.json()).not.toHaveProperty('client_uri');
    });

    it.each<[string, unknown]>([
      ['null', null],
      ['an empty text', ''],
      ['an empty list', []],
      ['a list of empty texts', ['', null]],
    ])('redirect_uris that are %s are none', async (_what, uris) => {
      const answer = await send('POST', REGISTER, json({ redirect_uris: uris }));
      expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_redirect_uri']);
    });

    it('PowerShell and .NET: a byte order mark before the body', async () => {
      const body = Buffer.concat([BOM, json(LOOPBACK)]);
      expect((await send('POST', REGISTER, body)).status).toBe(201);
    });

    it.each<[string, Buffer, string]>([
      ['Latin-1', Buffer.from('{"client_name":"Büro"}', 'latin1'), 'the body has to be UTF-8'],
      ['UTF-16', Buffer.from(JSON.stringify(LOOPBACK), 'utf16le'), 'the body has to be JSON'],
      ['UTF-16 with its mark', Buffer.from('\uFEFF{}', 'utf16le'), 'the body has to be UTF-8'],
      ['two marks', Buffer.concat([BOM, BOM, json(LOOPBACK)]), 'the body has to be JSON'],
      ['no JSON', Buffer.from('redirect_uris=x'), 'the body has to be JSON'],
      ['nothing', Buffer.from(''), 'the body has to be JSON'],
    ])('a body that is %s is told so', async (_what, body, sentence) => {
      const answer = await send('POST', REGISTER, body);
      const refusal = { error: 'invalid_client_metadata', error_description: sentence };
      expect([answer.status, answer.json()]).toEqual([400, refusal]);
    });
  });

  describe('loopback redirect URIs (contract: Authorization request)', () => {
    const HOSTS = ['http://127.0.0.1', 'http://localhost', 'http://[::1]', 'http://127.9.9.9'];

    it.each(
      HOSTS.flatMap((host): [string, string, string, string][] => [
        ['VS Code', `${host}:33418`, `${host}:33418/`, `${host}:33418`],
        ['VS Code', `${host}:33418/`, `${host}:33418`, `${host}:33418/`],
        ['a client with another port', host, `${host}:1/`, `${host}:1`],
        ['a client with a query', `${host}:5?a=b`, `${host}:6/?a=b`, `${host}:6?a=b`],
      ]),
    )('%s: registers %s, asks with %s, exchanges with %s', async (_client, uri, asked, given) => {
      const client = await OAuthClient.register(gatehouse, { redirect_uris: [uri] });
      const code = await client.authorize(browser, undefined, { redirect_uri: asked });
      const answer = await client.exchange(code, { redirect_uri: given });
      expect(answer.status).toBe(200);
    });

    it.each([
      'http://127.0.0.1:33418//',
      'http://127.0.0.1:33418/.',
      'http://127.0.0.1:33418/x',
      'http://127.0.0.1:33418/?',
      'http://127.0.0.1:33418?',
      'http://127.0.0.1:33418/?a=b',
      'http://127.0.0.1:33418\\',
      'http://127.0.0.1:33418/#',
      'http://127.0.0.1:33418@evil.example/',
      'http://127.0.0.1@evil.example',
      'http://user@127.0.0.1:33418/',
      'http://evil.example@127.0.0.1:33418/',
      'http://127.0.0.1.evil.example/',
      'http://127.0.0.1:33418.evil.example/',
      'http://127.0.0.2:33418/',
      'http://localhost:33418/',
      'http://localhost.:33418/',
      'http://0.0.0.0:33418/',
      'http://127.1:33418/',
      'http:/127.0.0.1:33418/',
      'http:127.0.0.1:33418/',
      'http:///127.0.0.1:33418/',
      'https://127.0.0.1:33418/',
      'HTTP://127.0.0.1:33418/',
      '//127.0.0.1:33418/',
    ])('no other URI is that of the loopback interface: %s', async (uri) => {
      const client = await OAuthClient.register(gatehouse, LOOPBACK);
      const answer = await browser.get(client.authorizePath({ redirect_uri: uri }));
      expect([answer.status, answer.headers['location']]).toEqual([400, undefined]);
    });

    it.each([
      ['another port', 'http://127.0.0.1:33419'],
      ['another path', 'http://127.0.0.1:33418//'],
      ['another host', 'http://localhost:33418/'],
    ])('an exchange with %s than the request had is refused', async (_what, uri) => {
      const client = await OAuthClient.register(gatehouse, LOOPBACK);
      const code = await client.authorize(browser);
      const answer = await client.exchange(code, { redirect_uri: uri });
      expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant']);
    });

    it('an https URI is compared as a text', async () => {
      const uris = { redirect_uris: ['https://app.example'] };
      const client = await OAuthClient.register(gatehouse, uris);
      const path = client.authorizePath({ redirect_uri: 'https://app.example/' });
      expect((await browser.get(path)).status).toBe(400);
    });
  });

  describe('authorization requests (contract: Authorization request)', () => {
    it.each([
      ['Gemini CLI: commas', 'account:read,tabs:read'],
      ['commas and spaces', ' account:read, tabs:read ,'],
      ['a client whose scopes are lines', 'account:read\ntabs:read'],
      ['lines of Windows', 'account:read\r\n\r\ntabs:read\r\n'],
      ['tabs', 'account:read\ttabs:read'],
    ])('%s between scopes', async (_client, scope) => {
      const client = await OAuthClient.register(gatehouse);
      const page = await browser.get(client.authorizePath({ scope }));
      const offered = [...page.text.matchAll(/name="scope" value="([^"]+)"\s+checked/g)];
      expect(offered.map(([, name]) => name)).toEqual(['account:read', 'tabs:read']);
    });

    const CUT = 'The address may have been cut: if you copied it, copy it whole.';
    const TWO = { redirect_uris: [REDIRECT_URI, 'http://127.0.0.1:5555/other'] };

    it('a terminal that cuts the address: every cut that cannot redirect says so', async () => {
      const client = await OAuthClient.register(gatehouse, TWO);
      const whole = client.authorizePath();
      const query = new URLSearchParams(whole.split('?')[1]);
      for (let count = 0; count < query.size; count += 1) {
        const kept = new URLSearchParams([...query].slice(0, count));
        const answer = await browser.get(`/svc/oauth/authorize?${kept}`);
        const isCut = !kept.has('redirect_uri');
        expect([count, answer.status]).toEqual([count, isCut ? 400 : count < 5 ? 302 : 200]);
        if (isCut) expect(answer.text).toContain(CUT);
      }
      const inside = await browser.get(whole.slice(0, whole.indexOf(client.id) + 5));
      expect([inside.status, inside.text]).toEqual([400, expect.stringContaining(CUT)]);
      const half = await browser.get(whole.slice(0, whole.indexOf('%3A5555') + 5));
      expect([half.status, half.text]).toEqual([400, expect.stringContaining(CUT)]);
    });

    it('a request that is whole is not called cut', async () => {
      const client = await OAuthClient.register(gatehouse, TWO);
      const foreign = client.authorizePath({ redirect_uri: 'https://evil.example/' });
      const answer = await browser.get(foreign);
      expect([answer.status, answer.text]).toEqual([400, expect.not.stringContaining(CUT)]);
    });
  });

  describe('addresses (contract: Discovery)', () => {
    it.each([
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource/svc/mcp',
    ])('Cursor, a slash behind %s: the same document', async (path) => {
      const [one, other] = [await get(path), await get(`${path}/`)];
      expect([other.status, other.json()]).toEqual([200, one.json()]);
      expect((await send('HEAD', `${path}/`)).status).toBe(200);
      const wrong = await send('POST', `${path}/`);
      expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, HEAD, OPTIONS']);
      expect((await get(`${path}//`)).status).toBe(404);
    });

    it.each([
      '/svc/mcp/.well-known/oauth-authorization-server',
      '/svc/mcp/.well-known/oauth-protected-resource',
      '/svc/mcp/.well-known/openid-configuration',
      '/svc/mcp/.well-known/oauth-protected-resource/svc/mcp?x=y',
      '/svc/mcp/sse/.well-known/oauth-authorization-server',
      '/svc/mcp/.well-known',
    ])('LibreChat: GET %s is 404', async (path) => {
      const answer = await get(path);
      expect([answer.status, answer.headers['www-authenticate']]).toEqual([404, undefined]);
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect((await send('HEAD', path)).status).toBe(404);
      expect((await send('POST', path)).status).toBe(401);
    });

    it.each(['/svc/mcp', '/svc/mcp/', '/svc/mcp/well-known', '/svc/mcp/x.well-known/y'])(
      'GET %s needs a token as before',
      async (path) => expect((await get(path)).status).toBe(401),
    );

    it.each(['/svc/account', '/svc/account/recover'])('%s with a slash redirects', async (path) => {
      for (const query of ['', '?', '?ui_locales=de', '?a=b?c=d&e=//evil.example']) {
        const { status, headers } = await get(`${path}/${query}`);
        expect([status, headers['location']]).toEqual([301, path + query]);
      }
      expect((await send('HEAD', `${path}/`)).status).toBe(301);
      const wrong = await send('POST', `${path}/`);
      expect([wrong.status, wrong.headers['allow']]).toEqual([405, 'GET, HEAD']);
      expect((await get(`${path}//`)).status).toBe(404);
    });
  });
});

describe('what clients publish about themselves (contract: What is forgiven)', () => {
  let service: PublishedClients;
  let browser: Browser;

  beforeAll(async () => {
    service = await startPublishedClients();
    browser = new Browser(service.gatehouse);
    await browser.signUp();
  });
  afterAll(() => service.stop());

  const shown = async (bodyOf: (id: string) => Buffer) => {
    const { host, gatehouse } = service;
    const path = `/${randomUUID()}`;
    host.answer(path, (_request, response) =>
      response.writeHead(200, JSON_TYPE).end(bodyOf(host.url(path))),
    );
    const client = OAuthClient.published(gatehouse, host.url(path));
    return (await browser.get(client.authorizePath())).status;
  };
  const metadata = (id: string, members: object = {}) =>
    json({ client_id: id, redirect_uris: [REDIRECT_URI], ...members });
  const EMPTY = [
    'client_name',
    'client_uri',
    'jwks',
    'token_endpoint_auth_method',
    'client_secret',
  ];

  it.each<[string, (id: string) => Buffer]>([
    ['Notepad: a byte order mark', (id) => Buffer.concat([BOM, metadata(id)])],
    ...['', null].map((value): [string, (id: string) => Buffer] => [
      `members that are ${JSON.stringify(value)}`,
      (id) => metadata(id, Object.fromEntries(EMPTY.map((member) => [member, value]))),
    ]),
  ])('%s', async (_client, bodyOf) => expect(await shown(bodyOf)).toBe(200));

  it.each<[string, (id: string) => Buffer]>([
    [
      'not UTF-8',
      (id) =>
        Buffer.concat([Buffer.from('{"x":'), NOT_UTF8, Buffer.from(','), metadata(id).subarray(1)]),
    ],
    ['with a secret', (id) => metadata(id, { client_secret: 's' })],
    ['of another id', () => metadata('')],
  ])('a document that is %s is refused', async (_what, bodyOf) =>
    expect(await shown(bodyOf)).toBe(400),
  );
});
