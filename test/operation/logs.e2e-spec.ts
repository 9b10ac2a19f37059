import { once } from 'node:events';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { WebSocket } from 'ws';
import { Browser } from '../support/browser.js';
import { ServerProcess } from '../support/built-server.js';
import { eventually } from '#libs/platform/testing';
import { call } from '../support/http.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import { storageForTests, type TestStorage } from '../support/services/storage-for-tests.js';

interface Line {
  readonly level: string;
  readonly time: string;
  readonly message: string;
  readonly requestId?: string;
  readonly path?: string;
  readonly status?: number;
  readonly reason?: string;
}

const LEVELS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];

describe('the log of the built service', () => {
  let storage: TestStorage;
  let server: ServerProcess;
  let gatehouse: { port: number; origin: string };

  const lines = () =>
    server.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
  const linesOf = (requestId: unknown) =>
    eventually(() => {
      const found = lines().filter((line) => line.requestId === requestId && line.path);
      expect(found).toHaveLength(1);
      return found[0] as Line;
    });

  beforeAll(async () => {
    storage = await storageForTests();
    server = new ServerProcess({
      PORT: '0',
      LOG_LEVEL: 'trace',
      TRUSTED_PROXIES: '127.0.0.2',
      ...storage.environment,
    });
    const port = await server.port();
    gatehouse = { port, origin: `http://localhost:${port}` };
  });
  afterAll(async () => {
    await server.kill();
    await storage.dispose();
  });

  it('has one line a request, under the id that the answer tells, without its query', async () => {
    const answer = await new Browser(gatehouse).get('/svc/auth/me?code=in-the-query');
    const line = await linesOf(answer.headers['x-request-id']);
    expect(line).toMatchObject({
      level: 'info',
      method: 'GET',
      path: '/svc/auth/me',
      status: 200,
      durationMs: expect.any(Number),
    });
    expect(new Date(line.time).toISOString()).toBe(line.time);
  });

  it('says why a request was refused, in words of its own', async () => {
    const browser = new Browser(gatehouse);
    const client = await OAuthClient.register(gatehouse);
    const unknown = client.authorizePath().replace(client.id, 'my-own-words');
    const unproven = client.authorizePath({ code_challenge: undefined, state: 'my-own-words' });
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const token = `grant_type=refresh_token&refresh_token=my-own-words&client_id=${client.id}`;
    const refused = [
      [await browser.get(unknown), 400, /^Unknown OAuth client/],
      [await browser.post('/svc/oauth/token', token, form), 400, /^invalid_grant: ./],
      [await browser.post('/svc/oauth/token', 'grant_type=x', form), 401, /^invalid_client: ./],
      [await browser.post('/svc/oauth/register', '{}'), 400, /^invalid_redirect_uri: ./],
      [await browser.post('/svc/mcp', '{}', { authorization: 'Bearer x' }), 401, /access token/],
      [await browser.post('/svc/auth/login/verify', {}), 400, /./],
      [await browser.get('/svc/me/apps'), 401, /./],
      [await browser.send('PUT', '/svc/auth/me'), 405, /./],
      [await browser.get(unproven), 302, /^invalid_request: ./],
      [await browser.get(client.authorizePath({ prompt: 'none' })), 302, /^login_required: ./],
      [await browser.send('GET', '/svc/account', '', { host: 'my-own-words' }), 421, /./],
      [await browser.send('GET', '/svc/account', '', { host: 'my-own-words/' }), 400, /^the Host/],
    ] as const;
    for (const [answer, status, reason] of refused) {
      const line = await linesOf(answer.headers['x-request-id']);
      expect(line).toMatchObject({ status, reason: expect.stringMatching(reason) });
      expect(line.reason).not.toContain('my-own-words');
    }
    const fine = await browser.get('/svc/auth/me');
    expect((await linesOf(fine.headers['x-request-id'])).reason).toBeUndefined();
  });

  it('makes its own ids for requests that come from no trusted proxy', async () => {
    const answer = await new Browser(gatehouse).get('/svc/auth/me', { 'x-request-id': 'mine' });
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
  });

  it('cuts paths that are long', async () => {
    const answer = await call(gatehouse.port, {
      method: 'GET',
      path: `/${'x'.repeat(2000)}`,
      headers: { host: 'localhost' },
    });
    const { path } = await linesOf(answer.headers['x-request-id']);
    expect(path).toBe(`/${'x'.repeat(255)}`);
  });

  it('never holds a secret, whatever happens', async () => {
    const secrets: Record<string, string | undefined> = {};
    const keep = (name: string, secret: string | undefined) => {
      secrets[name] = secret;
    };
    const browser = new Browser(gatehouse);
    const attestation = await browser.attest();
    keep('registration challenge', challengeIn(attestation.response.clientDataJSON));
    await browser.post('/svc/auth/register/verify', attestation);
    keep('first session', browser.cookie?.split('=')[1]);
    const assertion = await browser.assert();
    keep('login challenge', challengeIn(assertion.response.clientDataJSON));
    keep('signature', assertion.response.signature);
    await browser.post('/svc/auth/login/verify', assertion);
    await browser.post('/svc/auth/login/verify', assertion);
    keep('second session', browser.cookie?.split('=')[1]);

    const client = await OAuthClient.register(gatehouse, {
      token_endpoint_auth_method: 'client_secret_post',
    });
    keep('client secret', client.secret);
    keep('code verifier', client.verifier);
    const handle = await client.showConsent(browser);
    keep('consent handle', handle);
    const approved = await client.answerConsent(browser, handle, ['account:read']);
    const code = new URL(approved.headers.location ?? '').searchParams.get('code') ?? '';
    keep('code', code);
    await client.answerConsent(browser, handle, ['account:read']);
    const tokens = (await client.exchange(code)).json<TokenResponse>();
    keep('access token', tokens.access_token);
    keep('refresh token', tokens.refresh_token);
    const renewed = (await client.refresh(tokens.refresh_token)).json<TokenResponse>();
    keep('second access token', renewed.access_token);
    keep('second refresh token', renewed.refresh_token);
    await client.mcp(renewed.access_token);
    await client.mcp(renewed.access_token, 'tools/call', { name: 'account_status' });
    await client.mcp('a-token-never-issued');
    await client.token({ grant_type: 'refresh_token', refresh_token: 'made-up-refresh-token' });
    await client.token({ grant_type: 'authorization_code', client_secret: 'wrong-client-secret' });
    for (const token of [renewed.access_token, code]) {
      await client.send('GET', `/svc/mcp?access_token=${token}`);
      await client.send('GET', `/svc/oauth/authorize?code=${token}`);
      await client.send('GET', `/svc/oauth/nowhere?code=${token}#${token}`);
    }
    await client.exchange(code);
    await client.refresh(renewed.refresh_token);
    await client.revoke(renewed.refresh_token);
    await withoutTables(storage, async () => {
      const failed = [
        await browser.get('/svc/auth/me'),
        await client.mcp(renewed.access_token),
        await client.refresh(renewed.refresh_token),
      ];
      expect(failed.map(({ status }) => status)).toEqual([500, 500, 500]);
      for (const { headers } of failed) {
        expect(await linesOf(headers['x-request-id'])).toMatchObject({ level: 'error' });
      }
    });
    const tab = new WebSocket(`ws://127.0.0.1:${gatehouse.port}/svc/me/tabs`, {
      headers: { host: new URL(gatehouse.origin).host, cookie: browser.cookie ?? '' },
    });
    await once(tab, 'message');
    tab.close();
    await once(tab, 'close');
    await browser.post('/svc/auth/login/verify', '{ not json');
    await browser.post('/svc/auth/logout');
    const last = await browser.get('/svc/auth/me', {
      cookie: `session=${secrets['first session']}`,
    });
    await linesOf(last.headers['x-request-id']);

    const log = server.stdout + server.stderr;
    const found = Object.entries(secrets).filter(([, secret]) => secret && log.includes(secret));
    expect(found.map(([name]) => name)).toEqual([]);
    expect(Object.values(secrets).filter((secret) => !secret || secret.length < 20)).toEqual([]);
    expect(log).not.toMatch(/made-up-refresh-token|never-issued|wrong-client-secret|in-the-query/);
    expect(server.stderr).toBe('');
  });

  it('has a level and a time in every line', () => {
    for (const { level, time, message } of lines()) {
      expect(LEVELS).toContain(level);
      expect([time, message]).toEqual([expect.stringMatching(/Z$/), expect.any(String)]);
    }
  });
});

/** Makes requests with sessions or tokens fail unexpectedly, which no request can cause. */
async function withoutTables({ environment }: TestStorage, work: () => Promise<void>) {
  const url = environment.DATABASE_URL;
  const options: DataSourceOptions = url.startsWith('sqlite:')
    ? { type: 'sqlite', database: url.slice('sqlite:'.length) }
    : { type: 'postgres', url };
  const dataSource = await new DataSource(options).initialize();
  const rename = async (from: string, to: string) => {
    for (const table of ['sessions', 'oauth_tokens']) {
      await dataSource.query(`ALTER TABLE ${table}${from} RENAME TO ${table}${to}`);
    }
  };
  await rename('', '_elsewhere');
  try {
    await work();
  } finally {
    await rename('_elsewhere', '');
    await dataSource.destroy();
  }
}

const challengeIn = (clientDataJson: string) =>
  (JSON.parse(Buffer.from(clientDataJson, 'base64url').toString()) as { challenge: string })
    .challenge;
