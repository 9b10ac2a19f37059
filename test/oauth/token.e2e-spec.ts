import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { HeldWrites } from '../support/held-writes.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';

const BASIC = { token_endpoint_auth_method: 'client_secret_basic' };
const POST = { token_endpoint_auth_method: 'client_secret_post' };

/** From the one to the other the database writes no use of a client down. */
const [REFUSE_USE, ACCEPT_USE] =
  globalThis.STORAGE === 'postgres'
    ? [
        'ALTER TABLE oauth_clients ADD CONSTRAINT unused CHECK (last_used_at = 1) NOT VALID',
        'ALTER TABLE oauth_clients DROP CONSTRAINT unused',
      ]
    : [
        "CREATE TRIGGER unused BEFORE UPDATE ON oauth_clients BEGIN SELECT RAISE(ABORT, 'unused'); END",
        'DROP TRIGGER unused',
      ];

describe('POST /svc/oauth/token (contract: Token endpoint)', () => {
  let gatehouse: Gatehouse;
  let browser: Browser;
  let client: OAuthClient;

  const code = (scopes?: string[]) => client.authorize(browser, scopes);
  const errorOf = (answer: { status: number; json<T>(): T }) => [
    answer.status,
    answer.json<{ error: string }>().error,
  ];
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const basic = (id: string, secret: string) => ({
    authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
  });

  beforeAll(async () => {
    gatehouse = await startGatehouse();
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  beforeEach(async () => {
    client = await OAuthClient.register(gatehouse);
  });
  afterAll(() => gatehouse.stop());

  it('success: 200 JSON, no-store, everything a client needs', async () => {
    const answer = await client.exchange(await code(['account:read', 'tabs:read']));
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers.pragma).toBe('no-cache');
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{43}$/),
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'account:read tabs:read',
      resource: `${gatehouse.origin}/svc/mcp`,
    });
    expect((await client.mcp(answer.json<TokenResponse>().access_token)).status).toBe(200);
  });

  it('a refresh token beside a code is not used up instead of it', async () => {
    const other = await (await OAuthClient.register(gatehouse)).connect(browser);
    const given = await code();
    const beside = { refresh_token: other.refresh_token };
    const first = await client.exchange(given, beside);
    expect(first.status).toBe(200);
    expect(errorOf(await client.exchange(given, beside))).toEqual([400, 'invalid_grant']);
    const { access_token: token } = first.json<TokenResponse>();
    expect((await client.mcp(token)).status).toBe(401);
    expect((await client.mcp(other.access_token)).status).toBe(200);
  });

  it('tokens and codes are stored only as SHA-256', async () => {
    const given = await code();
    const tokens = (await client.exchange(given)).json<TokenResponse>();
    const stored = JSON.stringify(await gatehouse.app.get(DataSource).manager.find('oauth_tokens'));
    for (const secret of [given, tokens.access_token, tokens.refresh_token]) {
      expect(stored).not.toContain(secret);
    }
  });

  it.each([
    ['JSON', { 'content-type': 'application/json' }],
    ['multipart', { 'content-type': 'multipart/form-data; boundary=x' }],
    ['nothing', {}],
  ])('a body of type %s: 400 invalid_request', async (_type, headers) => {
    const answer = await client.send('POST', '/svc/oauth/token', 'grant_type=x', headers);
    expect(errorOf(answer)).toEqual([400, 'invalid_request']);
  });

  it.each(['GET', 'PUT', 'DELETE', 'HEAD', 'PATCH'])('%s: 405 with Allow', async (method) => {
    const answer = await client.send(method, '/svc/oauth/token');
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });

  it('repeated parameter: 400; unknown ignored; empty omitted', async () => {
    const given = await code();
    const body = `grant_type=authorization_code&client_id=${client.id}&code=${given}&code=${given}`;
    const twice = await client.send('POST', '/svc/oauth/token', body, form);
    expect(errorOf(twice)).toEqual([400, 'invalid_request']);
    const answer = await client.exchange(given, { foo: 'bar', scope: '', resource: '' });
    expect(answer.status).toBe(200);
  });

  it.each([
    [{ grant_type: undefined }, 'invalid_request'],
    [{ grant_type: 'password' }, 'unsupported_grant_type'],
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    [{ grant_type: 'urn:ietf:params:oauth:grant-type:device_code' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code', code_verifier: 'x' }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
  ])('%j: 400 %s', async (params, error) => {
    expect(errorOf(await client.token(params))).toEqual([400, error]);
  });

  describe('client authentication', () => {
    it('unknown client: 401 invalid_client', async () => {
      const answer = await client.exchange(await code(), { client_id: 'nobody' });
      expect(errorOf(answer)).toEqual([401, 'invalid_client']);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    });

    it('missing client_id: 401 invalid_client', async () => {
      const answer = await client.exchange(await code(), { client_id: undefined });
      expect(errorOf(answer)).toEqual([401, 'invalid_client']);
    });

    it.each(['Basic', 'Basic !!!', 'Basic eA==', 'Bearer x', 'Basic eDp5 eDp5'])(
      'malformed Authorization "%s": 401 with a Basic challenge',
      async (authorization) => {
        const answer = await client.token(
          { grant_type: 'x', client_id: undefined },
          { authorization },
        );
        expect(errorOf(answer)).toEqual([401, 'invalid_client']);
        expect(answer.headers['www-authenticate']).toMatch(/^Basic realm=/);
      },
    );

    it('client_secret_basic', async () => {
      client = await OAuthClient.register(gatehouse, BASIC);
      const { id, secret = '' } = client;
      const body = { client_id: undefined, client_secret: undefined };
      const given = await code();
      const params = {
        ...body,
        grant_type: 'authorization_code',
        code: given,
        code_verifier: client.verifier,
        redirect_uri: REDIRECT_URI,
      };
      const wrong = await client.token(params, basic(id, `${secret}x`));
      expect(errorOf(wrong)).toEqual([401, 'invalid_client']);
      expect(wrong.headers['www-authenticate']).toMatch(/^Basic realm=/);
      expect((await client.token(params, basic(id, secret))).status).toBe(200);
    });

    it('client_secret_post', async () => {
      client = await OAuthClient.register(gatehouse, POST);
      const given = await code();
      const wrong = await client.exchange(given, { client_secret: 'wrong' });
      expect(errorOf(wrong)).toEqual([401, 'invalid_client']);
      expect((await client.exchange(given)).status).toBe(200);
    });

    it('two methods at once: 400 invalid_request', async () => {
      client = await OAuthClient.register(gatehouse, BASIC);
      const headers = basic(client.id, client.secret ?? '');
      expect(errorOf(await client.token({ grant_type: 'x' }, headers))).toEqual([
        400,
        'invalid_request',
      ]);
    });

    it('the registered method is enforced exactly, and no code is consumed by it', async () => {
      client = await OAuthClient.register(gatehouse, BASIC);
      const given = await code();
      expect(errorOf(await client.exchange(given))).toEqual([401, 'invalid_client']);
      const none = await client.exchange(given, { client_secret: undefined });
      expect(errorOf(none)).toEqual([401, 'invalid_client']);
      const open = await OAuthClient.register(gatehouse);
      const secret = await open.token({ grant_type: 'refresh_token', client_secret: 'x' });
      expect(errorOf(secret)).toEqual([401, 'invalid_client']);
    });
  });

  describe('authorization code', () => {
    it.each([
      ['wrong code_verifier', { code_verifier: 'x'.repeat(43) }, 'invalid_grant'],
      ['missing code_verifier', { code_verifier: undefined }, 'invalid_request'],
      ['different redirect_uri', { redirect_uri: 'http://127.0.0.1:5555/other' }, 'invalid_grant'],
      ['foreign resource', { resource: 'https://evil.example/svc/mcp' }, 'invalid_target'],
      ['unknown code', { code: 'x'.repeat(43) }, 'invalid_grant'],
    ])('%s is refused, and the code is good afterwards', async (_rule, params, error) => {
      const given = await code();
      const refused = await client.exchange(given, params);
      expect(errorOf(refused)).toEqual([400, error]);
      expect(refused.headers['cache-control']).toBe('no-store');
      expect((await client.exchange(given)).status).toBe(200);
    });

    it('redirect_uri omitted is accepted, with several registered as well', async () => {
      client = await OAuthClient.register(gatehouse, {
        redirect_uris: [REDIRECT_URI, 'https://app.example/cb'],
      });
      const answer = await client.exchange(await code(), { redirect_uri: undefined });
      expect(answer.status).toBe(200);
    });

    it('used twice: invalid_grant, and all it gave is revoked', async () => {
      const given = await code();
      const tokens = (await client.exchange(given)).json<TokenResponse>();
      expect(errorOf(await client.exchange(given))).toEqual([400, 'invalid_grant']);
      expect((await client.mcp(tokens.access_token)).status).toBe(401);
      expect(errorOf(await client.refresh(tokens.refresh_token))).toEqual([400, 'invalid_grant']);
    });

    it('by another client: invalid_grant without any effect', async () => {
      const given = await code();
      const thief = await OAuthClient.register(gatehouse);
      const stolen = await thief.exchange(given, { code_verifier: client.verifier });
      expect(errorOf(stolen)).toEqual([400, 'invalid_grant']);
      expect((await client.exchange(given)).status).toBe(200);
    });

    it('500 uses up nothing: the store failed where it notes that the client is in use', async () => {
      const given = await code();
      const dataSource = gatehouse.app.get(DataSource);
      await dataSource.manager.update('oauth_clients', { id: client.id }, { lastUsedAt: 1 });
      await dataSource.query(REFUSE_USE);
      expect(errorOf(await client.exchange(given))).toEqual([500, 'server_error']);
      await dataSource.query(ACCEPT_USE);
      expect((await client.exchange(given)).status).toBe(200);
    });

    it('expired: invalid_grant', async () => {
      const given = await code();
      const { manager } = gatehouse.app.get(DataSource);
      await manager.update('oauth_tokens', { kind: 'AuthorizationCode' }, { expiresAt: 1 });
      const rows = await manager.find<{ idHash: string; payload: object }>('oauth_tokens');
      for (const { idHash, payload } of rows) {
        await manager.update('oauth_tokens', { idHash }, { payload: { ...payload, exp: 1 } });
      }
      expect(errorOf(await client.exchange(given))).toEqual([400, 'invalid_grant']);
    });

    it('of 32 parallel exchanges of one code exactly one succeeds', async () => {
      const given = await code();
      const answers = await Promise.all(Array.from({ length: 32 }, () => client.exchange(given)));
      const statuses = answers.map(({ status }) => status).toSorted();
      expect(statuses).toEqual([200, ...Array(31).fill(400)]);
    });

    const onPostgres = globalThis.STORAGE === 'postgres' ? it : it.skip;
    onPostgres(
      'of exchanges that found the code unused one succeeds, and what it got is good (Postgres, where writes can be held)',
      async () => {
        const given = await code();
        const held = await HeldWrites.hold(gatehouse.storage.environment.DATABASE_URL);
        const exchanges = Array.from({ length: 4 }, () => client.exchange(given));
        await held.waiting(4).finally(() => held.release());
        const answers = await Promise.all(exchanges);
        const winners = answers.filter(({ status }) => status === 200);
        expect([winners.length, answers.length]).toEqual([1, 4]);
        const { access_token: access = '', refresh_token: refresh = '' } =
          winners[0]?.json<TokenResponse>() ?? {};
        expect((await client.mcp(access)).status).toBe(200);
        expect((await client.refresh(refresh)).status).toBe(200);
      },
    );
  });

  it('error descriptions are plain ASCII without quotes', async () => {
    const answer = await client.token({ grant_type: '"\\\u00e9<b>' });
    const { error_description: text } = answer.json<{ error_description: string }>();
    expect(text).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]*$/);
  });

  it('CORS: preflight 204, and errors are readable too', async () => {
    const origin = { origin: 'https://inspector.example' };
    const preflight = await client.send('OPTIONS', '/svc/oauth/token', undefined, origin);
    expect(preflight.status).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
    const refused = await client.token({ grant_type: 'x' }, origin);
    expect(refused.headers['access-control-allow-origin']).toBe('*');
  });
});
