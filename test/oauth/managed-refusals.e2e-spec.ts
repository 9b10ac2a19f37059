import { randomUUID } from 'node:crypto';
import { advanceMonotonicClock, restoreClock } from '#libs/platform/testing';
import type { Answer } from '../support/http.js';
import { JWT_BEARER, type ManagedAccess, startManagedAccess } from '../support/managed-access.js';
import { askManagement } from '../support/management.js';
import { OAuthClient } from '../support/oauth-client.js';
import { NOTES, resourcesFile } from '../support/resource-files.js';

type Claims = Readonly<Record<string, unknown>>;

const inSeconds = (s: number) => Math.floor(Date.now() / 1000) + s;

const outcomeOf = (answer: Answer) => {
  const { error, error_description: description } = answer.json();
  return [answer.status, error, description];
};

const AUDIENCE = 'the aud of the assertion has to be the issuer of this service alone';
const FOREIGN = 'the client_id of the assertion has to be the client that presents it';
const KEY = 'the assertion is not signed with a key that its issuer publishes';
const NO_KEYS = [
  503,
  'temporarily_unavailable',
  'the keys of the issuer cannot be had right now; try again',
];

describe('refused assertions (contract: Managed access)', () => {
  let managed: ManagedAccess;
  let subject: string;

  const assertion = (claims: Claims = {}, header: Claims = {}) =>
    managed.assertion(subject, claims, header);

  beforeAll(async () => {
    managed = await startManagedAccess({
      variables: { MANAGEMENT_PORT: '0', ...resourcesFile(NOTES) },
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

  // Every fault of an assertion is tested in identity-assertion.spec.ts.
  it.each<[string, string, Claims, Claims?]>([
    ['another audience', AUDIENCE, { aud: 'https://evil.example' }],
    ['another client', FOREIGN, { client_id: 'other' }],
    [
      'an issuer that is not trusted',
      'the iss of the assertion is not trusted here',
      { iss: 'https://evil.example' },
    ],
    ['an unknown kid', KEY, {}, { kid: 'unknown' }],
  ])('400 invalid_grant | %s', async (_what, description, claims, ...[header]) => {
    const answer = await managed.present(await assertion(claims, header));
    expect(outcomeOf(answer)).toEqual([400, 'invalid_grant', description]);
    expect(answer.headers['cache-control']).toBe('no-store');
  });

  it('400 invalid_target | a resource of others, or another than the form has', async () => {
    const own = `${managed.gatehouse.origin}/svc/mcp`;
    const foreign = await assertion({ resource: 'https://evil.example/mcp' });
    expect(outcomeOf(await managed.present(foreign))).toEqual([
      400,
      'invalid_target',
      'the assertion is for a resource that is not here',
    ]);
    const good = await assertion({ resource: `${own}/` });
    for (const [resource, description] of [
      [NOTES.resource, 'the assertion is for another resource than the request'],
      ['https://evil.example/mcp', 'that is no resource of this server, whose metadata lists them'],
    ]) {
      const answer = await managed.present(good, { resource: String(resource) });
      expect(outcomeOf(answer)).toEqual([400, 'invalid_target', description]);
    }
    const answer = await managed.present(good, { resource: own });
    expect([answer.status, answer.json()['resource']]).toEqual([200, own]);
  });

  it('400 unauthorized_client | a public client', async () => {
    const open = await OAuthClient.register(managed.gatehouse);
    const answer = await open.token({ grant_type: JWT_BEARER, assertion: await assertion() });
    expect(outcomeOf(answer)).toEqual([
      400,
      'unauthorized_client',
      'this grant type is for clients that authenticate',
    ]);
  });

  it('401 invalid_client | a client that does not prove who it is, whatever the assertion', async () => {
    const good = await assertion();
    for (const presented of [good, 'x', await assertion({ exp: inSeconds(-70) })]) {
      const wrong = await managed.present(presented, { client_secret: 'wrong' });
      expect(outcomeOf(wrong)).toEqual([401, 'invalid_client', 'client authentication failed']);
    }
    const client = OAuthClient.published(managed.gatehouse, 'unknown');
    const unknown = await client.token({ grant_type: JWT_BEARER, assertion: good });
    expect(outcomeOf(unknown)).toEqual([
      401,
      'invalid_client',
      'unknown client; it has to ask its user for consent again',
    ]);
    expect((await managed.present(good)).status).toBe(200);
  });

  it('400 invalid_grant | a client that the issuer may not vouch for', async () => {
    const { id, secret = '' } = managed.unlisted;
    const client = OAuthClient.published(managed.gatehouse, id);
    const own = await assertion({ client_id: id });
    const params = { grant_type: JWT_BEARER, assertion: own, client_secret: secret };
    const answer = await client.token(params);
    expect(outcomeOf(answer)).toEqual([
      400,
      'invalid_grant',
      'this client may not present assertions of their issuer',
    ]);
  });

  it('400 invalid_request | no assertion, or two', async () => {
    expect(outcomeOf(await managed.present(''))).toEqual([
      400,
      'invalid_request',
      'assertion is missing',
    ]);
    const form = new URLSearchParams({ grant_type: JWT_BEARER, client_id: managed.client.id });
    for (const n of [1, 2]) form.append('assertion', await assertion({ jti: `${n}` }));
    const type = { 'content-type': 'application/x-www-form-urlencoded' };
    const answer = await managed.client
      .at(managed.gatehouse)
      .post('/svc/oauth/token', `${form}&client_secret=${managed.client.secret}`, type);
    expect(outcomeOf(answer)).toEqual([400, 'invalid_request', 'assertion is given twice']);
  });

  it('an assertion without a resource is for that of the form, else for /svc/mcp', async () => {
    const own = `${managed.gatehouse.origin}/svc/mcp`;
    for (const params of [{}, { resource: own }, { resource: '' }] as Record<string, string>[]) {
      const answer = await managed.present(await assertion({ resource: undefined }), params);
      expect([answer.status, answer.json()['resource']]).toEqual([200, own]);
    }
    const forNotes = { resource: String(NOTES.resource) };
    const answer = await managed.present(await assertion({ resource: undefined }), forNotes);
    expect(outcomeOf(answer).slice(0, 2)).toEqual([400, 'invalid_scope']);
  });

  it('503 while the keys of the issuer cannot be had, which uses up nothing', async () => {
    await managed.idp.configure('mute', { answers: false });
    const waiting = await managed.assertion(subject, {}, {}, 'mute');
    const answer = await managed.present(waiting);
    expect(outcomeOf(answer)).toEqual(NO_KEYS);
    expect(answer.headers['retry-after']).toBe('30');
    await managed.idp.configure('mute', { answers: true });
    expect(outcomeOf(await managed.present(waiting))).toEqual(NO_KEYS);
    advanceMonotonicClock(30_000);
    expect((await managed.present(waiting)).status).toBe(200);
    expect(outcomeOf(await managed.present(waiting))).toEqual([
      400,
      'invalid_grant',
      'the jti of the assertion was used before',
    ]);
    const { text } = await askManagement(managed.gatehouse, '/metrics');
    for (const outcome of ['fetched', 'failed']) {
      expect(text).toContain(`key_fetches_total{issuer="Mute",outcome="${outcome}"} 1\n`);
    }
  });

  it('503 where the metadata of the issuer points inside, and nothing is requested there', async () => {
    // The same server, at an address that the file does not name.
    const keys = `${managed.idp.issuer('inside')}/keys`.replace('localhost', '127.0.0.1');
    await managed.idp.configure('inside', { more: { jwks_uri: keys } });
    const answer = await managed.present(await managed.assertion(subject, {}, {}, 'inside'));
    expect(outcomeOf(answer)).toEqual(NO_KEYS);
    expect(await managed.idp.requests('inside')).toEqual([
      '/inside/.well-known/openid-configuration',
    ]);
  });

  it('takes a new key of the issuer 30 seconds after the last fetch', async () => {
    const present = async (header = {}) => {
      const fresh = await managed.assertion(randomUUID(), {}, header, 'rolling');
      return outcomeOf(await managed.present(fresh));
    };
    const keyFetches = async () =>
      (await managed.idp.requests('rolling')).filter((path) => path.endsWith('/keys')).length;
    const [given, refused] = [
      [200, undefined, undefined],
      [400, 'invalid_grant', KEY],
    ];
    expect(await present()).toEqual(given);
    await managed.idp.rotate('rolling');
    expect(await present()).toEqual(refused);
    advanceMonotonicClock(29_000);
    expect(await present()).toEqual(refused);
    expect(await keyFetches()).toBe(1);
    advanceMonotonicClock(1_000);
    expect(await present()).toEqual(given);
    expect(await present({ kid: 'made-up' })).toEqual(refused);
    // Those whose key is known go on.
    expect(await present()).toEqual(given);
    expect(await keyFetches()).toBe(2);
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
