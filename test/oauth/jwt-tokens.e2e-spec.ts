import { createHash } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { DataSource } from 'typeorm';
import { Browser } from '../support/browser.js';
import { advanceClock, restoreClock } from '#libs/platform/testing';
import { type Gatehouse, startGatehouse } from '../support/gatehouse.js';
import { OAuthClient, type TokenResponse } from '../support/oauth-client.js';
import {
  connectTo,
  introspect,
  REPORTS_TO_CHANGE,
  ResourceFiles,
} from '../support/resource-files.js';
import { afterRounds, beginRounds, endRounds } from '../support/rounds.js';
import { itWithClock } from '../support/services/describe-with.js';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

type Replica = Pick<Gatehouse, 'port' | 'origin'>;

const kidOf = (token: string) => decodeProtectedHeader(token).kid;

describe('access tokens that are JWTs (contract: JWT access tokens)', () => {
  let files: ResourceFiles;
  let gatehouse: Gatehouse;
  let browser: Browser;
  let userId: string;

  const connect = () => connectTo(gatehouse, browser, REPORTS_TO_CHANGE);
  const told = (token: string, at: Replica = gatehouse) => introspect(at, token, REPORTS_TO_CHANGE);
  const isActive = async (token: string, at?: Replica) => (await told(token, at))['active'];
  const keysAt = async (replica: Replica = gatehouse) =>
    (await new Browser(replica).get('/svc/jwks')).json<{ keys: { kid: string }[] }>();
  const kidsAt = async (replica?: Replica) => (await keysAt(replica)).keys.map(({ kid }) => kid);
  /** As a resource server that asks nothing about the token does it. */
  const verified = async (token: string, replica?: Replica) =>
    jwtVerify(token, createLocalJWKSet((await keysAt(replica)) as never), {
      issuer: gatehouse.origin,
      audience: REPORTS_TO_CHANGE.resource,
      typ: 'at+jwt',
      algorithms: ['ES256', 'EdDSA'],
      currentDate: new Date(),
    });

  beforeEach(async () => {
    beginRounds('intervals');
    files = await ResourceFiles.of(REPORTS_TO_CHANGE);
    gatehouse = await startGatehouse(files.variables);
    browser = new Browser(gatehouse);
    ({
      user: { id: userId },
    } = (await browser.signUp()).json<{ user: { id: string } }>());
  });
  afterEach(async () => {
    restoreClock();
    await gatehouse.stop();
    endRounds();
    files.remove();
  });

  it('have what RFC 9068 asks for, and nothing of the person but the id', async () => {
    const { client, ...tokens } = await connect();
    expect(tokens).toEqual({
      access_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/),
      refresh_token: expect.stringMatching(/^[\w-]{22}~[\w-]{41}$/),
      token_type: 'Bearer',
      expires_in: 600,
      scope: 'reports:read reports:write',
      resource: REPORTS_TO_CHANGE.resource,
    });
    const { payload, protectedHeader } = await verified(tokens.access_token);
    expect(protectedHeader).toEqual({ alg: 'ES256', typ: 'at+jwt', kid: files.keys()[0]?.kid });
    expect(payload).toEqual({
      iss: gatehouse.origin,
      sub: userId,
      aud: REPORTS_TO_CHANGE.resource,
      client_id: client.id,
      scope: 'reports:read reports:write',
      jti: expect.stringMatching(/^[\w-]{21,}$/),
      iat: expect.any(Number),
      exp: Number(payload.iat) + 600,
    });
    expect(Math.abs(Number(payload.iat) - Date.now() / 1000)).toBeLessThan(60);
  });

  it('are new with each refresh, for the scopes that it asks for', async () => {
    const { client, access_token: first, refresh_token: refresh } = await connect();
    const answer = await client.refresh(refresh, { scope: 'reports:read' });
    const { access_token: second, expires_in: lifetime } = answer.json<TokenResponse>();
    expect([answer.status, lifetime]).toEqual([200, 600]);
    const [one, other] = [decodeJwt(first), (await verified(second)).payload];
    expect(other).toMatchObject({
      sub: one.sub,
      scope: 'reports:read',
      aud: REPORTS_TO_CHANGE.resource,
    });
    expect(other.jti).not.toBe(one.jti);
    expect([await isActive(first), await isActive(second)]).toEqual([true, true]);
  });

  it('follow what the person decided with the next refresh, and end with the connection', async () => {
    const { client, refresh_token: token } = await connect();
    const { connections } = (await browser.get('/svc/me/connections')).json<{
      connections: { id: string }[];
    }>();
    const path = `/svc/me/connections/${connections[0]?.id}`;
    const endsAt = Math.floor(Date.now() / 1000) + 200;
    const scope = 'reports:read reports:write';
    const refreshed = async (refreshToken: string, change: object) => {
      expect((await browser.send('PATCH', path, change)).status).toBe(200);
      const answer = (await client.refresh(refreshToken, { scope })).json<TokenResponse>();
      return { answer, claims: decodeJwt(answer.access_token) };
    };
    const off = { permissions: { 'reports:write': 'off' }, endsAt };
    const narrowed = await refreshed(token, off);
    expect(narrowed.claims).toMatchObject({ scope: 'reports:read', exp: endsAt });
    expect(narrowed.answer.scope).toBe('reports:read');
    expect(narrowed.answer.expires_in).toBe(endsAt - Number(narrowed.claims.iat));
    const none = { permissions: { 'reports:read': 'off' } };
    const empty = await refreshed(narrowed.answer.refresh_token, none);
    expect([empty.answer.scope, empty.claims['scope']]).toEqual(['', undefined]);
    const all = {
      permissions: { 'reports:read': 'allow', 'reports:write': 'allow' },
      endsAt: null,
    };
    const again = await refreshed(empty.answer.refresh_token, all);
    expect([again.claims['scope'], again.answer.expires_in]).toEqual([scope, 600]);
  });

  it('are stored by their hash alone', async () => {
    const { access_token: token } = await connect();
    const rows = JSON.stringify(await gatehouse.app.get(DataSource).manager.find('oauth_tokens'));
    expect(rows).toContain(createHash('sha256').update(token).digest('base64url'));
    for (const part of [...token.split('.'), decodeJwt(token).jti ?? '']) {
      expect(rows).not.toContain(part);
    }
  });

  it('are refused at /svc/mcp, and opaque tokens stay what they were', async () => {
    const { client, access_token: token } = await connect();
    expect((await client.mcp(token)).status).toBe(401);
    const other = await OAuthClient.register(gatehouse);
    const { access_token: opaque, expires_in: lifetime } = await other.connect(browser);
    expect([opaque.length, lifetime]).toEqual([43, 3600]);
    expect((await other.mcp(opaque)).status).toBe(200);
  });

  describe.each(['/svc/oauth/revoke', '/svc/oauth/token'])('revoked by POST %s', (path) => {
    it('end for introspection, and the grant goes on', async () => {
      const { client, access_token: token, refresh_token: refresh } = await connect();
      const answer = await client.token({ token }, {}, path);
      expect([answer.status, answer.text]).toEqual([200, '{}']);
      expect(await told(token)).toEqual({ active: false });
      await expect(verified(token)).resolves.toBeDefined();
      expect((await client.refresh(refresh)).status).toBe(200);
      expect((await client.token({ token }, {}, path)).status).toBe(200);
    });

    it('200 without effect | by another client, and what is no token of ours', async () => {
      const { access_token: token } = await connect();
      const thief = await OAuthClient.register(gatehouse);
      for (const one of [token, `${token}x`, 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.x']) {
        const answer = await thief.token({ token: one }, {}, path);
        expect([one, answer.status, answer.text]).toEqual([one, 200, '{}']);
      }
      expect(await isActive(token)).toBe(true);
    });

    it('401 | by a client that does not prove who it is', async () => {
      const metadata = { token_endpoint_auth_method: 'client_secret_post' };
      const client = await OAuthClient.register(gatehouse, metadata);
      const scopes = ['reports:read'];
      const code = await client.authorize(browser, scopes, {
        resource: REPORTS_TO_CHANGE.resource,
      });
      const { access_token: token } = (await client.exchange(code)).json<TokenResponse>();
      const answer = await client.token({ token, client_secret: 'wrong' }, {}, path);
      expect([answer.status, answer.json()['error']]).toEqual([401, 'invalid_client']);
      expect(await isActive(token)).toBe(true);
    });
  });

  it('a JWT is refused as a token to revoke where there are no keys, as before', async () => {
    const without = await startGatehouse();
    try {
      const client = await OAuthClient.register(without);
      const answer = await client.revoke('eyJhbGciOiJub25lIn0.e30.x');
      expect([answer.status, answer.json()['error']]).toEqual([400, 'unsupported_token_type']);
    } finally {
      await without.stop();
    }
  });

  itWithClock(
    'are signed by the new key from its time on; the old one stays until it retires',
    async () => {
      const { client, access_token: first, refresh_token: refresh } = await connect();
      const [old] = await kidsAt();
      await files.rotate('--alg', 'EdDSA');
      await afterRounds(async () => expect(await kidsAt()).toHaveLength(2));
      const [, added] = await kidsAt();
      const second = (await client.refresh(refresh)).json<TokenResponse>();
      expect([kidOf(first), kidOf(second.access_token)]).toEqual([old, old]);
      advanceClock(HOUR_MS - 60_000);
      const third = (await client.refresh(second.refresh_token)).json<TokenResponse>();
      expect(kidOf(third.access_token)).toBe(old);
      advanceClock(120_000);
      const fourth = (await client.refresh(third.refresh_token)).json<TokenResponse>();
      expect(decodeProtectedHeader(fourth.access_token)).toEqual({
        alg: 'EdDSA',
        typ: 'at+jwt',
        kid: added,
      });
      for (const { access_token: token } of [third, fourth]) {
        expect(await isActive(token)).toBe(true);
        await expect(verified(token)).resolves.toBeDefined();
      }
      advanceClock(DAY_MS + HOUR_MS);
      expect(await kidsAt()).toEqual([added]);
      const fifth = (await client.refresh(fourth.refresh_token)).json<TokenResponse>();
      expect([kidOf(fifth.access_token), await isActive(fifth.access_token)]).toEqual([
        added,
        true,
      ]);
    },
  );

  it('of a key that was taken out of the file are not active any more', async () => {
    const { access_token: token } = await connect();
    const other = await ResourceFiles.of();
    files.writeKeys(other.keys());
    other.remove();
    await afterRounds(async () => expect(await told(token)).toEqual({ active: false }));
    const { access_token: next } = await connect();
    expect([kidOf(next), await isActive(next)]).toEqual([files.keys()[0]?.kid, true]);
  });

  describe('on two replicas', () => {
    let late: ResourceFiles;
    let replica: Replica;
    let stop: () => Promise<void>;

    beforeEach(async () => {
      late = await ResourceFiles.of(REPORTS_TO_CHANGE);
      late.writeKeys(files.keys());
      const started = await startGatehouse(late.variables, gatehouse);
      replica = { port: started.port, origin: gatehouse.origin };
      stop = started.stop;
    });
    afterEach(async () => {
      await stop();
      late.remove();
    });

    it('a token of one is known to the other, and ends there with its grant', async () => {
      const { client, access_token: token, refresh_token: refresh } = await connect();
      expect(await isActive(token, replica)).toBe(true);
      const answer = await client.at(replica).refresh(refresh);
      const { access_token: next } = answer.json<TokenResponse>();
      expect(await isActive(next)).toBe(true);
      await client.at(replica).revoke(refresh);
      expect([await told(token), await told(next)]).toEqual([{ active: false }, { active: false }]);
    });

    itWithClock(
      'one with the old file goes on signing with its key, and both keys are good',
      async () => {
        const { client, refresh_token: refresh } = await connect();
        const [old] = await kidsAt();
        await files.rotate();
        await afterRounds(async () => expect(await kidsAt()).toHaveLength(2));
        const [, added] = await kidsAt();
        expect(await kidsAt(replica)).toEqual([old]);
        advanceClock(2 * HOUR_MS);
        const there = (await client.at(replica).refresh(refresh)).json<TokenResponse>();
        const here = (await client.refresh(there.refresh_token)).json<TokenResponse>();
        expect([kidOf(there.access_token), kidOf(here.access_token)]).toEqual([old, added]);
        for (const { access_token: token } of [there, here]) {
          await expect(verified(token)).resolves.toBeDefined();
          expect(await isActive(token)).toBe(true);
        }
        late.writeKeys(files.keys());
        await afterRounds(async () => expect(await kidsAt(replica)).toEqual([old, added]));
        expect(await isActive(here.access_token, replica)).toBe(true);
        const next = (await client.at(replica).refresh(here.refresh_token)).json<TokenResponse>();
        expect(kidOf(next.access_token)).toBe(added);
      },
    );

    it('parallel refreshes on both give tokens that are each signed and known', async () => {
      const { client, refresh_token: refresh } = await connect();
      const answers = await Promise.all(
        [gatehouse, replica, gatehouse, replica].map((one) => client.at(one).refresh(refresh)),
      );
      for (const answer of answers) {
        expect(answer.status).toBe(200);
        const { access_token: token } = answer.json<TokenResponse>();
        await expect(verified(token)).resolves.toBeDefined();
        expect(await isActive(token, replica)).toBe(true);
      }
    });
  });
});
