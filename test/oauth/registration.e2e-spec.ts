import { generateKeyPairSync } from 'node:crypto';
import { Browser } from '../support/browser.js';
import { useGatehouse } from '../support/gatehouse.js';
import { OAuthClient, REDIRECT_URI } from '../support/oauth-client.js';
import {
  CHATGPT,
  CLAUDE,
  CLAUDE_CODE,
  CURSOR,
  INSPECTOR,
  VS_CODE,
} from '../support/recorded-clients.js';

const REGISTER = '/svc/oauth/register';
const JSON_TYPE = { 'content-type': 'application/json' };
const BOTH = ['authorization_code', 'refresh_token'];

/** The members of RFC 7591 §2 and §3.2.1, and no others. */
const MEMBERS = new Set(
  (
    'client_id client_secret client_id_issued_at client_secret_expires_at redirect_uris ' +
    'token_endpoint_auth_method token_endpoint_auth_signing_alg grant_types response_types ' +
    'client_name client_uri logo_uri scope contacts tos_uri policy_uri jwks_uri jwks software_id ' +
    'software_version software_statement'
  ).split(' '),
);

describe('POST /svc/oauth/register (contract: Client registration)', () => {
  const gatehouse = useGatehouse();
  let browser: Browser;

  const send = (body: string | Buffer, headers: Record<string, string> = JSON_TYPE) =>
    browser.send('POST', REGISTER, body, headers);
  const register = (metadata: unknown) => send(JSON.stringify(metadata));
  const minimal = (members: object) => ({ redirect_uris: [REDIRECT_URI], ...members });
  const refused = async (metadata: unknown, error: string) => {
    const answer = await register(metadata);
    expect([answer.status, answer.json()['error']]).toEqual([400, error]);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.json()['error_description']).toMatch(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
  };

  beforeAll(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
  });

  it.each([
    ['Claude', CLAUDE],
    ['Claude Code', CLAUDE_CODE],
    ['Cursor', CURSOR],
    ['VS Code', VS_CODE],
    ['ChatGPT', CHATGPT],
    ['MCP Inspector', INSPECTOR],
  ])('%s: 201 with all that was registered', async (_app, metadata) => {
    const before = Math.floor(Date.now() / 1000);
    const answer = await register(metadata);
    expect(answer.status).toBe(201);
    expect(answer.headers['content-type']).toMatch(/^application\/json/);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers.pragma).toBe('no-cache');
    const client = answer.json<Record<string, unknown>>();
    const confidential = metadata.token_endpoint_auth_method !== 'none';
    expect(client).toEqual({
      client_id: expect.stringMatching(/^[\w-]{16,64}$/),
      client_id_issued_at: expect.any(Number),
      client_name: metadata.client_name,
      ...('client_uri' in metadata ? { client_uri: metadata.client_uri } : {}),
      redirect_uris: metadata.redirect_uris,
      grant_types: BOTH,
      response_types: ['code'],
      token_endpoint_auth_method: metadata.token_endpoint_auth_method,
      ...(confidential
        ? {
            client_secret: expect.stringMatching(/^[\w-]{32,}$/),
            client_secret_expires_at: 0,
          }
        : {}),
    });
    expect(client['client_id_issued_at']).toBeGreaterThanOrEqual(before);
    const app = await OAuthClient.register(gatehouse, metadata);
    const usable = metadata.redirect_uris.find((uri) => uri.startsWith('http')) ?? '';
    const page = await browser.get(app.authorizePath({ redirect_uri: usable }));
    expect([page.status, page.text.includes(metadata.client_name)]).toEqual([200, true]);
  });

  it('defaults: a minimal request becomes a client_secret_basic client', async () => {
    const client = (await register(minimal({}))).json();
    expect(client).toMatchObject({
      token_endpoint_auth_method: 'client_secret_basic',
      grant_types: BOTH,
      response_types: ['code'],
      client_secret_expires_at: 0,
    });
    const codeOnly = await register(minimal({ grant_types: ['authorization_code'] }));
    expect(codeOnly.json()['grant_types']).toEqual(BOTH);
  });

  it('unknown members and software statements are ignored; only RFC 7591 comes back', async () => {
    const answer = await register(
      minimal({
        client_id: 'chosen',
        client_secret: 'chosen',
        client_id_issued_at: 1,
        client_secret_expires_at: 1,
        software_statement: 'x.y.z',
        registration_access_token: 'x',
        subject_type: 'pairwise',
        require_auth_time: true,
        id_token_signed_response_alg: 'none',
        default_max_age: -1,
        post_logout_redirect_uris: ['javascript:x'],
        backchannel_logout_uri: 'http://evil.example',
        request_uris: 5,
        sector_identifier_uri: 'https://evil.example',
        constructor: { prototype: 1 },
        'x-vendor': { deep: [1] },
      }),
    );
    expect(answer.status).toBe(201);
    const client = answer.json<Record<string, unknown>>();
    expect(Object.keys(client).filter((member) => !MEMBERS.has(member))).toEqual([]);
    expect([client['client_id'], client['client_secret']]).not.toContain('chosen');
    expect(client['software_statement']).toBeUndefined();
    expect(Number(client['client_id_issued_at'])).toBeGreaterThan(1);
  });

  // Every rule about redirect URIs and metadata is tested in their unit specs.
  it.each<[string, object]>([
    ['none', { redirect_uris: undefined }],
    ['one that runs code', { redirect_uris: ['javascript:alert(1)'] }],
    ['remote http beside a good one', { redirect_uris: [REDIRECT_URI, 'http://app.example/cb'] }],
    ['a fragment', { redirect_uris: ['https://app.example/cb#'] }],
    ['userinfo', { redirect_uris: ['https://user:pass@app.example/cb'] }],
  ])('redirect_uris with %s: 400 invalid_redirect_uri', async (_what, members) => {
    await refused(minimal(members), 'invalid_redirect_uri');
  });

  it.each([
    { token_endpoint_auth_method: 'client_secret_jwt' },
    { token_endpoint_auth_method: 'private_key_jwt', jwks: { keys: [] } },
    { grant_types: ['implicit'] },
  ])('%j: 400 invalid_client_metadata', async (members) => {
    await refused(minimal(members), 'invalid_client_metadata');
  });

  it.each(['{', '[]'])('body %j: 400 invalid_client_metadata', async (body) => {
    const answer = await send(body);
    expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_client_metadata']);
    expect(answer.headers['access-control-allow-origin']).toBe('*');
  });

  it('a client that proves itself by keys has no secret, and its keys come back', async () => {
    const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const jwks = { keys: [publicKey.export({ format: 'jwk' })] };
    const answer = await register(minimal({ token_endpoint_auth_method: 'private_key_jwt', jwks }));
    expect([answer.status, answer.json()['client_secret']]).toEqual([201, undefined]);
    expect(answer.json()['jwks']).toEqual(jwks);
  });

  it('too large: 413 JSON, by its length or in chunks; large and allowed: 201', async () => {
    const large = Buffer.from(JSON.stringify(minimal({ padding: 'x'.repeat(1_048_576) })));
    const chunked = { ...JSON_TYPE, 'transfer-encoding': 'chunked' };
    for (const headers of [{ ...JSON_TYPE, 'content-length': String(large.length) }, chunked]) {
      const answer = await new Browser(gatehouse).send('POST', REGISTER, large.toString(), headers);
      expect([answer.status, answer.json()['error']]).toEqual([413, 'invalid_client_metadata']);
    }
    expect((await register(minimal({ padding: 'x'.repeat(50_000) }))).status).toBe(201);
  });

  it('identifiers are ours, no token is needed, and there is nothing to manage', async () => {
    const [one, other] = [await register(minimal({})), await register(minimal({}))];
    const client = one.json<Record<string, string>>();
    expect(client['client_id']).not.toBe(other.json()['client_id']);
    expect(client).not.toHaveProperty('registration_access_token');
    expect(client).not.toHaveProperty('registration_client_uri');
    await browser.agent.get(`${REGISTER}/${client['client_id']}`).expect(404);
  });

  it('CORS: preflight 204, and the answer is readable', async () => {
    const origin = { origin: 'https://inspector.example' };
    const preflight = await browser.send('OPTIONS', REGISTER, undefined, {
      ...origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    });
    expect([preflight.status, preflight.headers['access-control-allow-origin']]).toEqual([
      204,
      '*',
    ]);
    expect(preflight.headers['access-control-allow-headers']).toMatch(/content-type/i);
    const answer = await send(JSON.stringify(minimal({})), { ...JSON_TYPE, ...origin });
    expect([answer.status, answer.headers['access-control-allow-origin']]).toEqual([201, '*']);
  });

  it.each(['GET', 'HEAD', 'PUT'])('%s: 405 with Allow', async (method) => {
    const answer = await browser.send(method, REGISTER);
    expect([answer.status, answer.headers.allow]).toEqual([405, 'POST, OPTIONS']);
  });
});
