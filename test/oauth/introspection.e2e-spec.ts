import { createPrivateKey, createPublicKey } from 'node:crypto';
import { getStorageToken, type ThrottlerStorage } from '@nestjs/throttler';
import { SecurityEventsService } from '#libs/accounts';
import { base64url, SignJWT, UnsecuredJWT } from 'jose';
import { Admin } from '../support/admin.js';
import { Browser } from '../support/browser.js';
import { advanceClock, eventually, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { type Answer, call } from '../support/http.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import {
  basic,
  connectTo,
  introspect,
  type ListedResource,
  ResourceFiles,
} from '../support/resource-files.js';
import { statementsIn } from '../support/statements.js';
import { itWithClock } from '../support/services/describe-with.js';

const INTROSPECT = '/svc/introspect';
const METADATA = '/.well-known/oauth-authorization-server';
const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const MINUTE_MS = 60_000;
const INACTIVE = { active: false };
const NOT_A_SERVER = [
  401,
  {
    error: 'invalid_client',
    error_description: 'send the id and secret of a resource server by HTTP Basic',
  },
];

const NOTES = {
  resource: 'https://notes.example/mcp',
  name: 'Notes',
  scopes: [
    { name: 'notes:read', description: 'read your notes' },
    { name: 'notes:write', description: 'change your notes' },
  ],
  tokens: 'opaque',
  introspection: { clientId: 'notes-server', secret: 'a secret of notes' },
} as const satisfies ListedResource;

const REPORTS = {
  resource: 'https://reports.example/',
  name: 'Reports',
  scopes: [{ name: 'reports:read', description: 'read your reports' }],
  tokens: 'jwt',
  introspection: { clientId: 'reports-server', secret: 'another+secret%of:reports' },
} as const satisfies ListedResource;

const SILENT = {
  resource: 'https://silent.example/mcp',
  name: 'Silent',
  scopes: [{ name: 'silent:read', description: 'read what is silent' }],
  tokens: 'opaque',
} as const satisfies ListedResource;

const CARELESS = {
  resource: 'https://careless.example/mcp',
  name: 'Careless',
  scopes: [{ name: 'careless:read', description: 'read what is careless' }],
  tokens: 'opaque',
  introspection: { clientId: 'careless-server', secret: ' ' },
} as const satisfies ListedResource;

const RIGHT = basic(NOTES.introspection.clientId, NOTES.introspection.secret).authorization;

/** Each with the form of its tokens. */
const BOTH = [
  ['opaque', NOTES, REPORTS],
  ['jwt', REPORTS, NOTES],
] as const;

describe('introspection (contract: Introspection)', () => {
  let files: ResourceFiles;
  let gatehouse: Gatehouse;
  let browser: Browser;
  let user: { id: string; displayName: string };

  const connect = (to: ListedResource) => connectTo(gatehouse, browser, to);
  const told = (token: string, by: ListedResource) => introspect(gatehouse, token, by);
  const isActive = async (token: string, by: ListedResource) =>
    (await told(token, by))['active'] === true;

  /** A request with full control; the credentials are those of the notes server by default. */
  const ask = (
    body: string,
    headers: Record<string, string | string[]> = {},
    method = 'POST',
    at = gatehouse,
  ): Promise<Answer> =>
    call(at.port, {
      method,
      path: INTROSPECT,
      headers: {
        host: new URL(at.origin).host,
        ...FORM,
        ...basic('notes-server', NOTES.introspection.secret),
        ...headers,
      },
      body,
    });

  beforeAll(async () => {
    files = await ResourceFiles.of(NOTES, REPORTS, SILENT, CARELESS);
    gatehouse = await startGatehouse(files.variables);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    ({ user } = (await browser.signUp()).json<{ user: typeof user }>());
  });
  afterEach(restoreClock);
  afterAll(async () => {
    await gatehouse.stop();
    files.remove();
  });

  describe.each(BOTH)('of %s tokens', (form, own, other) => {
    it('tells the server of their resource everything about them', async () => {
      const before = Math.floor(Date.now() / 1000);
      const { access_token: token, client, expires_in: lifetime } = await connect(own);
      const answer = await told(token, own);
      expect(answer).toEqual({
        active: true,
        scope: own.scopes.map(({ name }) => name).join(' '),
        client_id: client.id,
        sub: user.id,
        aud: own.resource,
        iss: gatehouse.origin,
        exp: Number(answer['iat']) + lifetime,
        iat: expect.any(Number),
        token_type: 'Bearer',
        username: user.displayName,
      });
      expect(lifetime).toBe(form === 'jwt' ? 600 : 3600);
      expect(Number(answer['iat'])).toBeGreaterThanOrEqual(before);
      expect(token.split('.')).toHaveLength(form === 'jwt' ? 3 : 1);
    });

    it('tells another server that they are not active', async () => {
      const { access_token: token } = await connect(own);
      expect(await told(token, other)).toEqual(INACTIVE);
      expect(await isActive(token, own)).toBe(true);
    });

    it('tells of a refresh token, a code and anything else that they are not active', async () => {
      const { refresh_token: refresh, access_token: token, client } = await connect(own);
      const code = await client.authorize(browser, [own.scopes[0].name], {
        resource: own.resource,
      });
      const garbage = ['x', 'x'.repeat(43), 'a.b.c', `${token}x`, token.slice(0, -1), ' ', '\0'];
      for (const one of [refresh, code, client.id, user.id, ...garbage]) {
        expect([one, await told(one, own)]).toEqual([one, INACTIVE]);
      }
      expect((await client.exchange(code)).status).toBe(200);
    });

    it('ends with the token, the grant, the account and the client', async () => {
      const admin = new Admin(gatehouse);
      const ends = async (end: (got: Awaited<ReturnType<typeof connect>>) => Promise<unknown>) => {
        const got = await connect(own);
        expect(await isActive(got.access_token, own)).toBe(true);
        await end(got);
        return told(got.access_token, own);
      };
      expect(await ends(({ client, access_token: token }) => client.revoke(token))).toEqual(
        INACTIVE,
      );
      expect(await ends(({ client, refresh_token: token }) => client.revoke(token))).toEqual(
        INACTIVE,
      );
      expect(
        await ends(async () => {
          const { apps } = (await browser.get('/svc/me/apps')).json<{ apps: { id: string }[] }>();
          await browser.send('DELETE', `/svc/me/apps/${apps[0]?.id}`);
        }),
      ).toEqual(INACTIVE);
      expect(
        await ends(({ client }) => admin.text('clients', 'block', client.id, '--yes')),
      ).toEqual(INACTIVE);
      expect(await ends(() => admin.text('users', 'disable', user.id, '--yes'))).toEqual(INACTIVE);
    });

    it('follows what the person decided: scopes that are off, a pause, an end', async () => {
      const { access_token: token } = await connect(own);
      const { connections } = (await browser.get('/svc/me/connections')).json<{
        connections: { id: string }[];
      }>();
      const change = async (members: object) => {
        const path = `/svc/me/connections/${connections[0]?.id}`;
        expect((await browser.send('PATCH', path, members)).status).toBe(200);
      };
      const [{ name }, ...rest] = own.scopes;
      const { exp } = await told(token, own);
      await change({ permissions: { [name]: 'off' } });
      const left = rest.map((scope) => scope.name).join(' ');
      expect(await told(token, own)).toMatchObject({ active: true, scope: left, exp });
      await change({ permissions: { [name]: 'allow' }, paused: true });
      expect(await told(token, own)).toEqual(INACTIVE);
      const endsAt = Math.floor(Date.now() / 1000) + 100;
      await change({ paused: false, endsAt });
      const scope = own.scopes.map((one) => one.name).join(' ');
      expect(await told(token, own)).toMatchObject({ active: true, scope, exp: endsAt });
    });

    it('is for one issuer: at another origin they are not active', async () => {
      const { access_token: token } = await connect(own);
      const elsewhere = { port: gatehouse.port, origin: `http://127.0.0.1:${gatehouse.port}` };
      expect(await introspect(elsewhere, token, own)).toEqual(INACTIVE);
    });

    itWithClock('ends with their time', async () => {
      const { access_token: token, expires_in: lifetime } = await connect(own);
      advanceClock((lifetime - 5) * 1000);
      expect(await isActive(token, own)).toBe(true);
      advanceClock(6000);
      expect(await told(token, own)).toEqual(INACTIVE);
    });

    itWithClock(
      'counts as their use: a minute later the refresh token before is a replay',
      async () => {
        const first = await connect(own);
        const refresh = async (token: string) => first.client.refresh(token);
        const second = (await refresh(first.refresh_token)).json<TokenResponse>();
        expect(await told(second.access_token, other)).toEqual(INACTIVE);
        advanceClock(61_000);
        const third = (await refresh(first.refresh_token)).json<TokenResponse>();
        expect(await isActive(third.access_token, own)).toBe(true);
        advanceClock(61_000);
        const answer = await refresh(first.refresh_token);
        expect([answer.status, answer.json()['error']]).toEqual([400, 'invalid_grant']);
      },
    );
  });

  it('tells nothing of tokens of /svc/mcp', async () => {
    const client = await OAuthClient.register(gatehouse);
    const { access_token: token } = await client.connect(browser);
    expect(await told(token, NOTES)).toEqual(INACTIVE);
    expect(await told(token, REPORTS)).toEqual(INACTIVE);
    expect((await client.mcp(token)).status).toBe(200);
  });

  it('takes a token of another resource nowhere: /svc/mcp refuses them', async () => {
    for (const [form, own] of BOTH) {
      const { access_token: token, client } = await connect(own);
      const answer = await client.mcp(token);
      const fault = form === 'jwt' ? 'malformed' : 'unknown, expired or revoked';
      expect([answer.status, answer.json()]).toEqual([
        401,
        { error: 'invalid_token', error_description: `the access token is ${fault}` },
      ]);
      expect(answer.headers['www-authenticate']).toContain('error="invalid_token"');
    }
  });

  describe('of a forged JWT', () => {
    let claims: Record<string, unknown>;
    let header: { kid: string; alg: string; typ: string };
    let real: string;
    const privateKey = () => createPrivateKey({ key: files.keys()[0] as never, format: 'jwk' });
    const sign = (changed: object = {}, changedHeader: object = {}, key = privateKey()) =>
      new SignJWT({ ...claims, ...changed })
        .setProtectedHeader({ ...header, ...changedHeader })
        .sign(key as never);

    beforeEach(async () => {
      ({ access_token: real } = await connect(REPORTS));
      const [head = '', payload = ''] = real.split('.');
      const decode = (part: string) =>
        JSON.parse(new TextDecoder().decode(base64url.decode(part))) as never;
      [header, claims] = [decode(head), decode(payload)];
    });

    it('with the private key, which no one else has, it is as it was issued or not active', async () => {
      expect(await isActive(real, REPORTS)).toBe(true);
      expect(await told(await sign({ scope: 'reports:read reports:write' }), REPORTS)).toEqual(
        INACTIVE,
      );
      expect(await told(await sign({ aud: NOTES.resource }), NOTES)).toEqual(INACTIVE);
      expect(await told(await sign({ iss: 'https://evil.example' }), REPORTS)).toEqual(INACTIVE);
      expect(await told(await sign({}, { typ: 'JWT' }), REPORTS)).toEqual(INACTIVE);
    });

    it('without a signature, by a symmetric algorithm or an unknown key it is not active', async () => {
      const unsigned = new UnsecuredJWT(claims).encode();
      expect(await told(unsigned, REPORTS)).toEqual(INACTIVE);
      expect(await told(`${unsigned}x`, REPORTS)).toEqual(INACTIVE);
      const publicKey = createPublicKey(privateKey());
      const secrets = [
        publicKey.export({ type: 'spki', format: 'pem' }),
        publicKey.export({ type: 'spki', format: 'der' }),
        JSON.stringify(publicKey.export({ format: 'jwk' })),
      ].map((secret) => new Uint8Array(Buffer.from(secret)));
      for (const secret of secrets) {
        const forged = await sign({}, { alg: 'HS256' }, secret as never);
        expect(await told(forged, REPORTS)).toEqual(INACTIVE);
      }
      for (const kid of ['unknown', undefined, '']) {
        expect(await told(await sign({}, { kid }), REPORTS)).toEqual(INACTIVE);
      }
      const other = await ResourceFiles.of();
      const stranger = createPrivateKey({ key: other.keys()[0] as never, format: 'jwk' });
      other.remove();
      expect(await told(await sign({}, {}, stranger), REPORTS)).toEqual(INACTIVE);
      expect(await isActive(real, REPORTS)).toBe(true);
    });

    it('its id is no token, neither here nor for its client', async () => {
      const { jti, client_id: clientId } = claims as { jti: string; client_id: string };
      expect(await told(jti, REPORTS)).toEqual(INACTIVE);
      const form = new URLSearchParams({ client_id: clientId, token: jti }).toString();
      const answer = await browser.post('/svc/oauth/revoke', form, FORM);
      expect([answer.status, answer.text]).toEqual([200, '{}']);
      expect(await isActive(real, REPORTS)).toBe(true);
    });
  });

  describe('its callers', () => {
    it.each([
      ['nothing', { authorization: '' }],
      ['a wrong secret', basic('notes-server', 'wrong')],
      ['a secret of white space, though it fits', basic('careless-server', ' ')],
      ['the secret of another', basic('notes-server', REPORTS.introspection.secret)],
      ['the hash of the secret', basic('notes-server', '0'.repeat(64))],
      ['an unknown id', basic('nobody', NOTES.introspection.secret)],
      ['a resource as id', basic(NOTES.resource, NOTES.introspection.secret)],
      ['right credentials, sent twice', { authorization: [RIGHT, RIGHT] }],
    ])('401 | %s', async (_what, headers) => {
      const answer = await ask('token=x', headers);
      expect([answer.status, answer.json()]).toEqual(NOT_A_SERVER);
      expect(answer.headers['www-authenticate']).toBe('Basic realm="OAuth"');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.text).not.toMatch(/notes-server|secret of notes/);
    });

    it('401 | a client, by its secret, in the header and in the body', async () => {
      const { id, secret = '' } = await OAuthClient.register(gatehouse, {
        token_endpoint_auth_method: 'client_secret_basic',
      });
      const { access_token: token } = await connect(NOTES);
      const byClient = await ask(`token=${token}`, basic(id, secret));
      expect([byClient.status, byClient.json()]).toEqual(NOT_A_SERVER);
      const inBody = `token=x&client_id=notes-server&client_secret=${encodeURIComponent(NOTES.introspection.secret)}`;
      const posted = await ask(inBody, { authorization: '' });
      expect([posted.status, posted.json()]).toEqual(NOT_A_SERVER);
    });

    it('id and secret are encoded as in a form, or as they are', async () => {
      const { access_token: token } = await connect(REPORTS);
      const { clientId, secret } = REPORTS.introspection;
      const answer = await ask(`token=${token}`, basic(clientId, secret));
      expect([answer.status, answer.json()['active']]).toEqual([200, true]);
      const plain = { authorization: `Basic ${btoa(`${clientId}:${secret}`)}` };
      const unencoded = await ask(`token=${token}`, plain);
      expect([unencoded.status, unencoded.json()['active']]).toEqual([200, true]);
    });

    it('400 | no token, or two', async () => {
      for (const body of ['', 'token=', 'token_type_hint=access_token', 'token=a&token=b']) {
        const answer = await ask(body);
        const error = { error: 'invalid_request', error_description: 'the form needs one token' };
        expect([body, answer.status, answer.json()]).toEqual([body, 400, error]);
      }
    });

    it('400 and 413 | a body that is no form, or too large', async () => {
      const json = await ask('{"token":"x"}', { 'content-type': 'application/json' });
      expect([json.status, json.json()['error']]).toEqual([400, 'invalid_request']);
      const large = await ask(`token=${'x'.repeat(16_384)}`);
      expect([large.status, large.json()['error']]).toEqual([413, 'invalid_request']);
    });

    it('200 | a hint at the type, and what is not known, change nothing', async () => {
      const { access_token: token } = await connect(NOTES);
      for (const more of ['token_type_hint=refresh_token', 'token_type_hint=x', 'client_id=x']) {
        const answer = await ask(`token=${token}&${more}`);
        expect([answer.status, answer.json()['active']]).toEqual([200, true]);
        expect(answer.headers['cache-control']).toBe('no-store');
        expect(answer.headers.pragma).toBe('no-cache');
      }
    });

    it.each(['GET', 'PUT', 'OPTIONS'])('405 | %s', async (method) => {
      const answer = await ask('', { origin: 'https://notes.example' }, method);
      expect([answer.status, answer.headers.allow]).toEqual([405, 'POST']);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    });

    it('no page may read an answer', async () => {
      const answer = await ask('token=x', { origin: 'https://notes.example' });
      expect(answer.status).toBe(200);
      expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    });

    it('429 | a server after 6,000 requests in a minute, alone', async () => {
      const storage = gatehouse.app.get<ThrottlerStorage>(getStorageToken(), { strict: false });
      const count = () =>
        storage.increment(
          'introspection:notes-server',
          MINUTE_MS,
          6000,
          MINUTE_MS,
          'introspection',
        );
      const ours = `token=${'x'.repeat(43)}`;
      expect((await ask(ours)).status).toBe(200);
      while (!(await count()).isBlocked);
      const answer = await ask(ours);
      expect([answer.status, answer.headers['retry-after']]).toEqual([429, '60']);
      expect(await told('x'.repeat(43), REPORTS)).toEqual(INACTIVE);
      // Texts without the form of our tokens count apart.
      expect(await told('x', NOTES)).toEqual(INACTIVE);
    });

    it('429 | texts without the form of our tokens after 6,000 in a minute, alone and without a look-up', async () => {
      const storage = gatehouse.app.get<ThrottlerStorage>(getStorageToken(), { strict: false });
      const key = 'introspection:reports-server:other';
      const count = () => storage.increment(key, MINUTE_MS, 6000, MINUTE_MS, 'introspection');
      const { access_token: token } = await connect(REPORTS);
      const header = btoa(JSON.stringify({ alg: 'ES256', kid: 'unknown' })).replaceAll('=', '');
      const others = [
        'x',
        'x'.repeat(42),
        'a.b.c',
        `${header}.e30.x`,
        `${token}.`,
        'x'.repeat(9000),
      ];
      const tell = async () => {
        for (const one of others) expect([one, await told(one, REPORTS)]).toEqual([one, INACTIVE]);
      };
      expect(await statementsIn(gatehouse, tell)).toEqual([]);
      while (!(await count()).isBlocked);
      await expect(told('x', REPORTS)).rejects.toThrow('429');
      expect(await isActive(token, REPORTS)).toBe(true);
    });
  });

  it('429 | failed authentication counts for the visitor, and nothing else does', async () => {
    const strict = await startGatehouse({ ...files.variables, RATE_LIMIT_MAX: '3' });
    try {
      const statusOf = async (headers: Record<string, string>) =>
        (await ask('token=x', headers, 'POST', strict)).status;
      const right = basic('notes-server', NOTES.introspection.secret);
      const wrong = basic('notes-server', 'wrong');
      for (let times = 0; times < 5; times += 1) expect(await statusOf(right)).toBe(200);
      for (const status of [401, 401, 401, 429, 429]) expect(await statusOf(wrong)).toBe(status);
      expect((await new Browser(strict).get('/svc/oauth/authorize')).status).toBe(429);
    } finally {
      await strict.stop();
    }
  });

  describe('guesses of a secret', () => {
    const [right, wrong] = ['a secret of notes', 'wrong'].map((secret) =>
      basic('notes-server', secret),
    );
    const startStrict = (variables: Record<string, string> = {}) =>
      startGatehouse({ ...files.variables, RATE_LIMIT_MAX: '3', ...variables });

    it('429 | after the limit of a visitor nothing is compared, and each refusal counts', async () => {
      const strict = await startStrict({ RATE_LIMIT_PERIOD: '2' });
      const events: string[] = [];
      strict.app
        .get(SecurityEventsService, { strict: false })
        .listen(({ type, detail }) => events.push(`${type}: ${detail}`));
      const statusOf = async (headers = right) =>
        (await ask('token=x', headers, 'POST', strict)).status;
      try {
        for (let times = 0; times < 5; times += 1) await statusOf({ authorization: '' });
        expect(await statusOf()).toBe(200);
        events.length = 0;
        const refusals = await Promise.all(Array.from({ length: 8 }, () => statusOf(wrong)));
        expect(refusals.filter((status) => status === 200)).toEqual([]);
        expect(await statusOf()).toBe(429);
        const failed = 'client-authentication-failed';
        expect(events.toSorted()).toEqual([
          ...Array(3).fill(`${failed}: the id or the secret of a resource server does not fit`),
          ...Array(6).fill(`${failed}: too many wrong secrets of resource servers from there`),
        ]);
        await eventually(async () => expect(await statusOf()).toBe(200));
      } finally {
        await strict.stop();
      }
    });
  });

  it('a failed authentication is an event that names no one', async () => {
    const fresh = await startGatehouse(files.variables);
    try {
      await ask('token=x', basic('nobody', 'wrong'), 'POST', fresh);
      await eventually(async () => {
        const { items } = await new Admin(fresh).json<{ items: object[] }>('audit', 'list');
        expect(items).toEqual([
          expect.objectContaining({
            type: 'client-authentication-failed',
            user: null,
            client: null,
            detail: 'the id or the secret of a resource server does not fit',
          }),
        ]);
      });
    } finally {
      await fresh.stop();
    }
  });

  it('is in the metadata, with its one way to authenticate', async () => {
    const document = (await browser.get(METADATA)).json();
    expect(document).toMatchObject({
      introspection_endpoint: `${gatehouse.origin}${INTROSPECT}`,
      introspection_endpoint_auth_methods_supported: ['client_secret_basic'],
    });
  });

  it.each(['GET', 'POST', 'OPTIONS'])(
    '404 | %s where no resource has it | as for a path that is not there',
    async (method) => {
      const silent = await ResourceFiles.of(SILENT);
      const without = await startGatehouse(silent.variables);
      try {
        const here = new Browser(without);
        const seen = ({ status, text, headers }: Answer) => {
          const { date: _date, 'x-request-id': _id, ...rest } = headers;
          return { status, text, headers: rest };
        };
        const headers = { ...FORM, ...basic('notes-server', NOTES.introspection.secret) };
        const body = method === 'POST' ? 'token=x' : undefined;
        const answer = await here.send(method, INTROSPECT, body, headers);
        expect(answer.status).toBe(404);
        expect(seen(answer)).toEqual(
          seen(await here.send(method, `${INTROSPECT}s`, body, headers)),
        );
        const document = (await here.get(METADATA)).json();
        expect(Object.keys(document).filter((name) => name.includes('introspection'))).toEqual([]);
      } finally {
        await without.stop();
        silent.remove();
      }
    },
  );
});
