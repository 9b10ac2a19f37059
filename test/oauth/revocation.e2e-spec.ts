import { Browser } from '../support/browser.js';
import { advanceClock } from '#libs/platform/testing';
import { useGatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { itWithClock } from '../support/services/describe-with.js';

const HOUR = 60 * 60 * 1000;
const TOKEN = '/svc/oauth/token';
const REVOKE = '/svc/oauth/revoke';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const errorOf = (answer: Answer) => [answer.status, answer.json()['error']];
const basic = (id: string, secret: string) => ({
  authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`,
});

describe('revocation (contract: Revocation)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;
  let client: OAuthClient;
  let tokens: TokenResponse;

  type Params = Record<string, string | undefined>;
  const revoke = (token: string | undefined, params: Params = {}, headers = {}, by = client) =>
    by.token({ token, ...params }, headers, REVOKE);
  const succeeds = async (...revocation: Parameters<typeof revoke>) =>
    expectSuccess(await revoke(...revocation));
  const expectSuccess = (answer: Answer) => {
    expect([answer.status, answer.text]).toEqual([200, '{}']);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers.pragma).toBe('no-cache');
  };
  const isGood = async ({ access_token: token }: TokenResponse) =>
    (await client.mcp(token)).status === 200;
  const isConnected = async () => {
    const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: unknown[] }>();
    return apps.length === 1;
  };

  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    client = await OAuthClient.register(gatehouse);
    tokens = await client.connect(browser);
  });

  describe.each([REVOKE, TOKEN])('by POST %s', (path) => {
    const ends = async (token: string) => expectSuccess(await client.token({ token }, {}, path));

    it('a refresh token ends the grant: access tokens are dead at once', async () => {
      const refreshed = (await client.refresh(tokens.refresh_token)).json<TokenResponse>();
      await ends(refreshed.refresh_token);
      expect(await isGood(tokens)).toBe(false);
      expect(await isGood(refreshed)).toBe(false);
      for (const token of [tokens.refresh_token, refreshed.refresh_token]) {
        expect(errorOf(await client.refresh(token))).toEqual([400, 'invalid_grant']);
      }
      expect(await isConnected()).toBe(false);
    });

    it('an access token ends only itself', async () => {
      const refreshed = (await client.refresh(tokens.refresh_token)).json<TokenResponse>();
      await ends(tokens.access_token);
      expect(await isGood(tokens)).toBe(false);
      expect(await isGood(refreshed)).toBe(true);
      expect((await client.refresh(refreshed.refresh_token)).status).toBe(200);
      expect(await isConnected()).toBe(true);
    });
  });

  it('a refresh token that was replaced ends the grant', async () => {
    const refreshed = (await client.refresh(tokens.refresh_token)).json<TokenResponse>();
    await succeeds(tokens.refresh_token);
    expect(await isGood(refreshed)).toBe(false);
    expect(errorOf(await client.refresh(refreshed.refresh_token))[1]).toBe('invalid_grant');
  });

  it.each(['access_token', 'refresh_token', 'nonsense'])(
    'token_type_hint "%s": either token is found',
    async (hint) => {
      await succeeds(tokens.access_token, { token_type_hint: hint });
      expect(await isGood(tokens)).toBe(false);
      await succeeds(tokens.refresh_token, { token_type_hint: hint });
      expect(await isConnected()).toBe(false);
    },
  );

  it.each(['x', 'x'.repeat(43), 'x'.repeat(5000)])(
    'an unknown token %#: 200 all the same',
    async (token) => {
      await succeeds(token);
      expect(await isGood(tokens)).toBe(true);
    },
  );

  it('a token twice: 200 both times', async () => {
    await succeeds(tokens.refresh_token);
    await succeeds(tokens.refresh_token);
    await succeeds(tokens.access_token);
  });

  itWithClock('expired tokens: 200, without effect on the grant', async () => {
    advanceClock(HOUR);
    expect(await isGood(tokens)).toBe(false);
    await succeeds(tokens.access_token);
    expect(await isConnected()).toBe(true);
  });

  it('a code that waits for its exchange is no token: 200, and it stays good', async () => {
    const code = await client.authorize(browser);
    await succeeds(code);
    expect((await client.exchange(code)).status).toBe(200);
  });

  it('tokens of another client: 200 without effect', async () => {
    const thief = await OAuthClient.register(gatehouse);
    await succeeds(tokens.access_token, {}, {}, thief);
    await succeeds(tokens.refresh_token, {}, {}, thief);
    expect(await isGood(tokens)).toBe(true);
    expect((await client.refresh(tokens.refresh_token)).status).toBe(200);
  });

  it('tokens of another origin: 200 without effect', async () => {
    const elsewhere = { host: `127.0.0.1:${gatehouse.port}` };
    await succeeds(tokens.access_token, {}, elsewhere);
    await succeeds(tokens.refresh_token, {}, elsewhere);
    expect(await isGood(tokens)).toBe(true);
    expect(await isConnected()).toBe(true);
  });

  describe('client authentication', () => {
    it('a public client has to say who it is', async () => {
      const answer = await revoke(tokens.access_token, { client_id: undefined });
      expect(errorOf(answer)).toEqual([401, 'invalid_client']);
      expect(errorOf(await revoke(tokens.access_token, { client_id: 'no-such-client' }))).toEqual([
        401,
        'invalid_client',
      ]);
      const secret = await revoke(tokens.access_token, { client_secret: 'x' });
      expect(errorOf(secret)).toEqual([401, 'invalid_client']);
      expect(await isGood(tokens)).toBe(true);
    });

    it('client_secret_basic: its secret in one way, and nothing ends before', async () => {
      client = await OAuthClient.register(gatehouse, {
        token_endpoint_auth_method: 'client_secret_basic',
      });
      const { id, secret = '' } = client;
      const code = await client.authorize(browser);
      const own = { client_id: undefined, client_secret: undefined };
      const exchange = { grant_type: 'authorization_code', code, code_verifier: client.verifier };
      const given = await client.token({ ...own, ...exchange }, basic(id, secret));
      const { access_token: token } = given.json<TokenResponse>();
      const refused = [
        await revoke(token, own, basic(id, 'wrong')),
        await revoke(token, own, { authorization: 'Basic !!!' }),
        await revoke(token, { client_secret: 'wrong' }),
        await revoke(token, { client_secret: undefined }),
      ];
      expect(refused.map(errorOf)).toEqual(Array(4).fill([401, 'invalid_client']));
      expect(refused[0]?.headers['www-authenticate']).toMatch(/^Basic realm=/);
      expect(errorOf(await revoke(token, {}, basic(id, secret)))).toEqual([400, 'invalid_request']);
      expect((await client.mcp(token)).status).toBe(200);
      await succeeds(token, own, basic(id, secret));
      expect((await client.mcp(token)).status).toBe(401);
    });

    it('client_secret_post', async () => {
      client = await OAuthClient.register(gatehouse, {
        token_endpoint_auth_method: 'client_secret_post',
      });
      tokens = await client.connect(browser);
      const wrong = await revoke(tokens.access_token, { client_secret: 'wrong' });
      expect(errorOf(wrong)).toEqual([401, 'invalid_client']);
      expect(wrong.headers['www-authenticate']).toBeUndefined();
      expect(await isGood(tokens)).toBe(true);
      await succeeds(tokens.access_token);
      expect(await isGood(tokens)).toBe(false);
    });
  });

  it('no token, an empty one or two: 400 invalid_request', async () => {
    expect(errorOf(await revoke(undefined))).toEqual([400, 'invalid_request']);
    expect(errorOf(await revoke(''))).toEqual([400, 'invalid_request']);
    const body = `client_id=${client.id}&token=${tokens.access_token}&token=x`;
    const twice = await client.send('POST', REVOKE, body, FORM);
    expect(errorOf(twice)).toEqual([400, 'invalid_request']);
    expect(await isGood(tokens)).toBe(true);
  });

  it('a body that is no form: 400 invalid_request', async () => {
    const body = JSON.stringify({ client_id: client.id, token: tokens.access_token });
    const json = { 'content-type': 'application/json' };
    expect(errorOf(await client.send('POST', REVOKE, body, json))).toEqual([
      400,
      'invalid_request',
    ]);
  });

  it.each(['GET', 'DELETE'])('%s: 405 with Allow', async (method) => {
    const query = `${REVOKE}?client_id=${client.id}&token=${tokens.access_token}`;
    const answer = await client.send(method, query);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
    expect(await isGood(tokens)).toBe(true);
  });

  it('CORS: preflight 204, and both answers are readable', async () => {
    const origin = { origin: 'https://inspector.example' };
    const answers = [
      await client.send('OPTIONS', REVOKE, undefined, origin),
      await revoke('x', {}, origin),
      await revoke(undefined, {}, origin),
    ];
    expect(answers.map(({ status }) => status)).toEqual([204, 200, 400]);
    for (const { headers } of answers) expect(headers['access-control-allow-origin']).toBe('*');
  });

  it('no refresh outlives a revocation that it races with', async () => {
    const [ended, ...refreshes] = await Promise.all([
      revoke(tokens.refresh_token),
      ...Array.from({ length: 16 }, () => client.refresh(tokens.refresh_token)),
    ]);
    expect(ended.status).toBe(200);
    for (const answer of refreshes) {
      expect([200, 400]).toContain(answer.status);
      if (answer.status === 200) expect(await isGood(answer.json<TokenResponse>())).toBe(false);
    }
    expect(await isConnected()).toBe(false);
  });

  it('the document names the token endpoint, where a grant_type goes before a token', async () => {
    const document = (await browser.get('/.well-known/oauth-authorization-server')).json();
    expect(document['revocation_endpoint']).toBe(`${gatehouse.origin}${TOKEN}`);
    const { access_token: token } = tokens;
    const both = await client.token({ grant_type: 'x', token });
    expect(errorOf(both)).toEqual([400, 'unsupported_grant_type']);
    expect((await client.refresh(tokens.refresh_token, { token })).status).toBe(200);
    expect(await isGood(tokens)).toBe(true);
  });
});
