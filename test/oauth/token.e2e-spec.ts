import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import { HeldWrites } from '../support/held-writes.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const MINUTE = 60 * 1000;
const BASIC = { token_endpoint_auth_method: 'client_secret_basic' };
const POST = { token_endpoint_auth_method: 'client_secret_post' };

/** Between these two statements the database rejects writes of tokens. */
const [REFUSE_TOKENS, ACCEPT_TOKENS] =
  globalThis.STORAGE === 'postgres'
    ? [
        'ALTER TABLE oauth_tokens ADD CONSTRAINT refused CHECK (generation < 0) NOT VALID',
        'ALTER TABLE oauth_tokens DROP CONSTRAINT refused',
      ]
    : [
        "CREATE TRIGGER refused AFTER INSERT ON oauth_tokens BEGIN SELECT RAISE(ABORT, 'refused'); END",
        'DROP TRIGGER refused',
      ];

describe('POST /svc/oauth/token (contract: Token endpoint)', () => {
  const gatehouse = useGatehouse();
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
    browser = new Browser(gatehouse);
    await browser.signUp();
  });
  beforeEach(async () => {
    client = await OAuthClient.register(gatehouse);
  });

  it('success: 200 JSON, no-store, everything a client needs', async () => {
    const answer = await client.exchange(await code(['account:read', 'tabs:read']));
    expect(answer.status).toBe(200);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers.pragma).toBe('no-cache');
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^[\w-]{43}$/),
      refresh_token: expect.stringMatching(/^[\w-]{22}~[\w-]{41}$/),
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

  it('a body that is no form: 400 invalid_request', async () => {
    const json = { 'content-type': 'application/json' };
    const answer = await client.send('POST', '/svc/oauth/token', 'grant_type=x', json);
    expect(errorOf(answer)).toEqual([400, 'invalid_request']);
  });

  it.each(['GET', 'HEAD', 'PUT'])('%s: 405 with Allow', async (method) => {
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
    [{ grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    [{ grant_type: 'authorization_code', code_verifier: 'x' }, 'invalid_request'],
    [{ grant_type: 'refresh_token' }, 'invalid_request'],
  ])('%j: 400 %s', async (params, error) => {
    expect(errorOf(await client.token(params))).toEqual([400, error]);
  });

  describe('client authentication', () => {
    it('unknown client: 401 invalid_client', async () => {
      const answer = await client.exchange(await code(), { client_id: 'no-such-client' });
      expect(errorOf(answer)).toEqual([401, 'invalid_client']);
      expect(answer.headers['www-authenticate']).toBeUndefined();
    });

    it('missing client_id: 401 invalid_client', async () => {
      const answer = await client.exchange(await code(), { client_id: undefined });
      expect(errorOf(answer)).toEqual([401, 'invalid_client']);
    });

    it.each(['Basic !!!', 'Basic eA==', 'Bearer x'])(
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

    it('a client uses its registered method, or its secret in the other way, and no other one consumes a code', async () => {
      client = await OAuthClient.register(gatehouse, BASIC);
      const given = await code();
      const open = await OAuthClient.register(gatehouse);
      const { id } = client;
      for (const [answer, registered, used] of [
        [await client.exchange(given, { client_secret: undefined }), 'client_secret_basic', 'none'],
        [await open.exchange(given, { client_secret: 'x' }), 'none', 'client_secret_post'],
        [
          await open.exchange(given, { client_id: undefined }, basic(open.id, 'x')),
          'none',
          'client_secret_basic',
        ],
      ] as const) {
        expect(answer.status).toBe(401);
        expect(answer.json()).toEqual({
          error: 'invalid_client',
          error_description: `the client is registered for ${registered}, not ${used}`,
        });
      }
      const exchange = { grant_type: 'authorization_code', code: given };
      const proof = { code_verifier: client.verifier, client_secret: undefined };
      const good = await client.token({ ...exchange, ...proof }, basic(id, client.secret ?? ''));
      expect(good.status).toBe(200);
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

    it('in a form of 65 parameters: invalid_request, and the code is good afterwards', async () => {
      const given = await code();
      const exchange = {
        grant_type: 'authorization_code',
        code: given,
        code_verifier: client.verifier,
        client_id: client.id,
      };
      const post = (resources: number) => {
        const body = new URLSearchParams(exchange);
        const resource = `${gatehouse.origin}/svc/mcp`;
        for (let n = 0; n < resources; n += 1) body.append('resource', resource);
        return browser.post('/svc/oauth/token', body.toString(), form);
      };
      expect(errorOf(await post(61))).toEqual([400, 'invalid_request']);
      expect((await post(60)).status).toBe(200);
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

    it('500 | the store fails half way | uses up nothing', async () => {
      const given = await code();
      const database = gatehouse.app.get(DataSource);
      await database.query(REFUSE_TOKENS);
      const failed = await client.exchange(given).finally(() => database.query(ACCEPT_TOKENS));
      expect(errorOf(failed)).toEqual([500, 'server_error']);
      expect((await client.exchange(given)).status).toBe(200);
    });

    itWithClock('is good for 10 minutes, its access token for an hour', async () => {
      const early = await code();
      const other = await OAuthClient.register(gatehouse);
      const late = await other.authorize(browser);
      advanceClock(9 * MINUTE);
      const { access_token: token } = (await client.exchange(early)).json<TokenResponse>();
      advanceClock(MINUTE);
      expect(errorOf(await other.exchange(late))).toEqual([400, 'invalid_grant']);
      advanceClock(58 * MINUTE);
      expect((await client.mcp(token)).status).toBe(200);
      advanceClock(MINUTE);
      expect((await client.mcp(token)).status).toBe(401);
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
