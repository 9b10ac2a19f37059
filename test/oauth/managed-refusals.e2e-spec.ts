import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { advanceClock, restoreClock } from '../support/clock.js';
import type { Answer } from '../support/http.js';
import { JWT_BEARER, type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { askManagement } from '../support/management.js';
import { OAuthClient } from '../support/oauth-client.js';

type Claims = Readonly<Record<string, unknown>>;

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const inSeconds = (s: number) => Math.floor(Date.now() / 1000) + s;

const outcomeOf = (answer: Answer) => [answer.status, answer.json()['error']];
const INVALID_GRANT = [400, 'invalid_grant'];

describe('refused assertions (contract: Managed access)', () => {
  let managed: ManagedAccess;
  let subject: string;

  const assertion = (claims: Claims = {}, header: Claims = {}) =>
    managed.assertion(subject, claims, header);

  beforeAll(async () => {
    managed = await startManagedAccess({
      variables: { MANAGEMENT_PORT: '0' },
      entries: {
        acme: { name: 'Acme', scopes: ['account:read'], accounts: 'create' },
        mute: { name: 'Mute', scopes: ['account:read'], accounts: 'create' },
        later: { name: 'Later', scopes: ['account:read'], accounts: 'create' },
        inside: { name: 'Inside', scopes: ['account:read'], accounts: 'create' },
        rolling: { name: 'Rolling', scopes: ['account:read'], accounts: 'create' },
        plain: { name: 'Plain', scopes: ['account:read'], accounts: 'create' },
      },
    });
  });
  beforeEach(() => {
    subject = randomUUID();
  });
  afterEach(restoreClock);
  afterAll(() => managed.stop());

  it.each<[string, Claims, Claims?]>([
    ['another audience', { aud: 'https://evil.example' }],
    ['two audiences', { aud: ['https://gate.example', 'https://evil.example'] }],
    ['another typ', {}, { typ: 'JWT' }],
    ['another client', { client_id: 'other' }],
    ['an issuer that is not trusted', { iss: 'https://evil.example' }],
    ['an end in the past', { exp: inSeconds(-70) }],
    ['a beginning in the future', { iat: inSeconds(120), exp: inSeconds(240) }],
    ['an end in an hour', { exp: inSeconds(3600) }],
    ['no jti', { jti: undefined }],
    ['no resource', { resource: undefined }],
    ['a subject of 10,000 characters', { sub: 's'.repeat(10_000) }],
    ['an unknown kid', {}, { kid: 'unknown' }],
  ])('400 invalid_grant | %s', async (_what, claims, ...[header]) => {
    const answer = await managed.present(await assertion(claims, header));
    expect(outcomeOf(answer)).toEqual(INVALID_GRANT);
    expect(answer.json()['error_description']).toMatch(/^[a-z][\x20-\x7e]{20,160}$/);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('400 invalid_grant | no signature, or one by a symmetric algorithm with the public key', async () => {
    const [, claims] = (await assertion()).split('.');
    const none = `${part({ alg: 'none', typ: 'oauth-id-jag+jwt' })}.${claims}.`;
    expect(outcomeOf(await managed.present(none))).toEqual(INVALID_GRANT);
    const [key] = await managed.idp.keys('acme');
    const header = part({ alg: 'HS256', typ: 'oauth-id-jag+jwt', kid: key?.['kid'] });
    const input = `${header}.${claims}`;
    const mac = createHmac('sha256', JSON.stringify(key)).update(input).digest('base64url');
    expect(outcomeOf(await managed.present(`${input}.${mac}`))).toEqual(INVALID_GRANT);
  });

  it('400 invalid_grant | the signature of another key', async () => {
    const { privateKey } = generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
      publicKeyEncoding: { format: 'pem', type: 'spki' },
    });
    const { origin } = managed.gatehouse;
    const claims = { sub: subject, aud: origin, resource: `${origin}/svc/mcp` };
    const forged = await managed.idp.assertion(
      'acme',
      { ...claims, client_id: managed.client.id },
      {},
      privateKey,
    );
    const answer = await managed.present(forged);
    expect(answer.json()['error_description']).toBe('the signature of the assertion is not valid');
  });

  it('400 invalid_target | a resource of others, or another than the form has', async () => {
    const foreign = await assertion({ resource: 'https://evil.example/mcp' });
    expect(outcomeOf(await managed.present(foreign))).toEqual([400, 'invalid_target']);
    const resource = `${managed.gatehouse.origin}/svc/mcp`;
    const good = await assertion({ resource: `${resource}/` });
    const other = await managed.present(good, { resource: 'https://evil.example/mcp' });
    expect(outcomeOf(other)).toEqual([400, 'invalid_target']);
    expect((await managed.present(good, { resource })).status).toBe(200);
  });

  it('400 unauthorized_client | a public client', async () => {
    const open = await OAuthClient.register(managed.gatehouse);
    const answer = await open.token({ grant_type: JWT_BEARER, assertion: await assertion() });
    expect(outcomeOf(answer)).toEqual([400, 'unauthorized_client']);
  });

  it('401 invalid_client | a client that does not prove who it is, whatever the assertion', async () => {
    const good = await assertion();
    for (const presented of [good, 'x', await assertion({ exp: inSeconds(-70) })]) {
      const wrong = await managed.present(presented, { client_secret: 'wrong' });
      expect(outcomeOf(wrong)).toEqual([401, 'invalid_client']);
    }
    const client = OAuthClient.published(managed.gatehouse, 'unknown');
    const unknown = await client.token({ grant_type: JWT_BEARER, assertion: good });
    expect(outcomeOf(unknown)).toEqual([401, 'invalid_client']);
    expect((await managed.present(good)).status).toBe(200);
  });

  it('400 invalid_grant | a client that the issuer may not vouch for', async () => {
    const { id, secret = '' } = managed.unlisted;
    const client = OAuthClient.published(managed.gatehouse, id);
    const own = await assertion({ client_id: id });
    const params = { grant_type: JWT_BEARER, assertion: own, client_secret: secret };
    const answer = await client.token(params);
    expect(outcomeOf(answer)).toEqual(INVALID_GRANT);
    expect(answer.json()['error_description']).toBe(
      'this client may not present assertions of their issuer',
    );
  });

  it('400 invalid_request | no assertion, or two', async () => {
    expect(outcomeOf(await managed.present(''))).toEqual([400, 'invalid_request']);
    const form = new URLSearchParams({ grant_type: JWT_BEARER, client_id: managed.client.id });
    for (const n of [1, 2]) form.append('assertion', await assertion({ jti: `${n}` }));
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await managed.client
      .at(managed.gatehouse)
      .post('/svc/oauth/token', `${form}&client_secret=${managed.client.secret}`, type);
    expect(outcomeOf(answer)).toEqual([400, 'invalid_request']);
  });

  it('503 while the keys of the issuer cannot be had, which uses up nothing', async () => {
    await managed.idp.configure('mute', { answers: false });
    const waiting = await managed.assertion(subject, {}, {}, 'mute');
    const answer = await managed.present(waiting);
    expect(outcomeOf(answer)).toEqual([503, 'temporarily_unavailable']);
    expect(answer.headers['retry-after']).toBe('30');
    await managed.idp.configure('mute', { answers: true });
    expect((await managed.present(waiting)).status).toBe(503);
    advanceClock(30_000);
    expect((await managed.present(waiting)).status).toBe(200);
    expect(outcomeOf(await managed.present(waiting))).toEqual(INVALID_GRANT);
    const { text } = await askManagement(managed.gatehouse, '/metrics');
    for (const outcome of ['fetched', 'failed']) {
      expect(text).toContain(`key_fetches_total{issuer="Mute",outcome="${outcome}"} 1\n`);
    }
  });

  it('503 where the metadata of the issuer points inside, and nothing is requested there', async () => {
    await managed.idp.configure('inside', { more: { jwks_uri: 'https://127.0.0.1/keys' } });
    const answer = await managed.present(await managed.assertion(subject, {}, {}, 'inside'));
    expect(outcomeOf(answer)).toEqual([503, 'temporarily_unavailable']);
    expect(answer.text).not.toMatch(/127\.0\.0\.1|special/);
  });

  it('takes a new key of the issuer 30 seconds after the last fetch', async () => {
    const present = async () =>
      (await managed.present(await managed.assertion(randomUUID(), {}, {}, 'rolling'))).status;
    expect(await present()).toBe(200);
    await managed.idp.rotate('rolling');
    expect(await present()).toBe(400);
    advanceClock(30_000);
    expect(await present()).toBe(200);
    const requests = await managed.idp.requests('rolling');
    expect(requests.filter((path) => path.endsWith('/keys'))).toHaveLength(2);
  });

  it('finds the keys by RFC 8414 metadata too', async () => {
    await managed.idp.configure('later', { metadata: 'oauth' });
    const answer = await managed.present(await managed.assertion(subject, {}, {}, 'later'));
    expect(answer.status).toBe(200);
  });

  it('tells who was refused and why, and nothing of the assertion', async () => {
    const secret = randomUUID();
    await managed.present(await assertion({ aud: secret, sub: secret }));
    const event = managed.events.at(-1);
    const reason =
      'invalid_grant: Acme: the aud of the assertion has to be the issuer of this service alone';
    expect(event).toEqual({
      type: 'managed-access-refused',
      userId: null,
      clientId: managed.client.id,
      origin: managed.gatehouse.origin,
      detail: reason,
      facts: { reason },
    });
  });
});
