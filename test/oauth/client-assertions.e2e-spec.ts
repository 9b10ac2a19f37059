import { createHmac, generateKeyPairSync, type KeyObject, randomUUID, sign } from 'node:crypto';
import { Browser } from '../support/browser.js';
import type { DocumentHost } from '#libs/oauth/testing';
import type { Gatehouse } from '../support/gatehouse.js';
import type { Answer } from '../support/http.js';
import { OAuthClient, REDIRECT_URI, type TokenResponse } from '../support/oauth-client.js';
import { type PublishedClients, startPublishedClients } from '../support/published-clients.js';

const APP = { client_name: 'Published App', redirect_uris: [REDIRECT_URI] };
const JSON_TYPE = { 'content-type': 'application/json' };
const SECOND = 1000;
const KEYS = generateKeyPairSync('ec', { namedCurve: 'P-256' });

/** In claims, it stands for a list of lists that `JSON.stringify` itself cannot write. */
const DEEP = 'deep';
const LISTS = '['.repeat(5_500) + ']'.repeat(5_500);

const errorOf = (answer: Answer) => [answer.status, answer.json()['error']];

describe('clients with keys of their own (contract: Token endpoint)', () => {
  let service: PublishedClients;
  let gatehouse: Gatehouse;
  let host: DocumentHost;
  let browser: Browser;
  let path: string;

  const published = (members: object) =>
    OAuthClient.published(gatehouse, host.publish(path, members));

  beforeAll(async () => {
    service = await startPublishedClients();
    ({ gatehouse, host } = service);
  });
  beforeEach(async () => {
    browser = new Browser(gatehouse);
    await browser.signUp();
    path = `/${randomUUID()}`;
  });
  afterAll(() => service.stop());

  const jwk = (key: KeyObject) => ({ ...key.export({ format: 'jwk' }), kid: 'k' });
  const members = { ...APP, token_endpoint_auth_method: 'private_key_jwt' };
  const keySet = { keys: [jwk(KEYS.publicKey)] };
  const base64url = (part: object) =>
    Buffer.from(JSON.stringify(part).replace(`:"${DEEP}"`, `:${LISTS}`)).toString('base64url');
  const assertion = (
    id: string,
    claims: object = {},
    key = KEYS.privateKey,
    header: object = {},
  ) => {
    const now = Math.floor(Date.now() / 1000);
    const registered = { iss: id, sub: id, aud: gatehouse.origin, jti: randomUUID() };
    const payload = { ...registered, iat: now, exp: now + 60, ...claims };
    const signed = `${base64url({ alg: 'ES256', kid: 'k', ...header })}.${base64url(payload)}`;
    const signature = sign('sha256', Buffer.from(signed), { key, dsaEncoding: 'ieee-p1363' });
    return {
      client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
      client_assertion: `${signed}.${signature.toString('base64url')}`,
    };
  };

  it('have to use them, each assertion once, and at revocation as well', async () => {
    const client = published({ ...members, jwks: keySet });
    const code = await client.authorize(browser);
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    for (const params of [
      {},
      { client_secret: 'x' },
      assertion(client.id, {}, stranger),
      assertion(client.id, { aud: 'https://evil.example' }),
      assertion(client.id, { aud: undefined }),
      assertion(client.id, { exp: 1 }),
      assertion(client.id, { jti: undefined }),
    ]) {
      expect(errorOf(await client.exchange(code, params))).toEqual([401, 'invalid_client']);
    }
    const another = await client.exchange(code, assertion(client.id, { sub: 'other' }));
    expect([400, 401]).toContain(another.status);
    const proof = assertion(client.id);
    const given = await client.exchange(code, proof);
    expect(given.status).toBe(200);
    const { refresh_token: token, access_token: access } = given.json<TokenResponse>();
    expect(errorOf(await client.refresh(token, proof))).toEqual([401, 'invalid_client']);
    expect(errorOf(await client.revoke(access))).toEqual([401, 'invalid_client']);
    expect((await client.mcp(access)).status).toBe(200);
    expect((await client.revoke(access, assertion(client.id))).status).toBe(200);
    expect((await client.mcp(access)).status).toBe(401);
  });

  it.each<[string, (origin: string) => unknown]>([
    ['the token endpoint', (origin) => `${origin}/svc/oauth/token`],
    ['the issuer with two slashes', (origin) => `${origin}//`],
    ['a list of the issuer', (origin) => [origin]],
    ['a list with another', (origin) => ['https://evil.example', origin]],
  ])('have to make them for the issuer alone, not for %s', async (_what, audience) => {
    const client = published({ ...members, jwks: keySet });
    const code = await client.authorize(browser);
    const jti = randomUUID();
    const aud = audience(gatehouse.origin);
    const proof = assertion(client.id, { aud, jti });
    expect(errorOf(await client.exchange(code, proof))).toEqual([401, 'invalid_client']);
    expect(errorOf(await client.revoke(code, proof))).toEqual([401, 'invalid_client']);
    expect((await client.exchange(code, assertion(client.id, { jti }))).status).toBe(200);
  });

  it('the issuer may have a slash at its end, and the clock may be a minute ahead', async () => {
    const client = published({ ...members, jwks: keySet });
    const ahead = Math.floor(Date.now() / SECOND) + 30;
    for (const claims of [{ aud: `${gatehouse.origin}/` }, { nbf: ahead, iat: ahead }]) {
      const code = await client.authorize(browser);
      expect((await client.exchange(code, assertion(client.id, claims))).status).toBe(200);
    }
  });

  it('401 names the claim that does not fit, and never its value', async () => {
    const client = published({ ...members, jwks: keySet });
    const code = await client.authorize(browser);
    const used = assertion(client.id);
    await client.revoke('x', used);
    const told = async (proof: object) => {
      const answer = await client.exchange(code, { ...proof });
      return [answer.status, String(answer.json()['error_description'])] as const;
    };
    const secret = randomUUID();
    for (const [claim, value] of Object.entries({
      aud: `https://${secret}`,
      exp: 1_234_567,
      iat: 9_876_543_210,
      nbf: 9_876_543_210,
      jti: 1_234_567,
      sub: secret,
      iss: secret,
    })) {
      const [status, description] = await told(assertion(client.id, { [claim]: value }));
      expect([status, description]).toEqual([
        401,
        expect.stringMatching(new RegExp(`^the ${claim} of the client assertion must `)),
      ]);
      expect(description).not.toContain(String(value));
    }
    expect(await told(used)).toEqual([401, 'the jti of the client assertion was used before']);
    expect((await client.exchange(code, assertion(client.id))).status).toBe(200);
  });

  it('401 | no signature, or one by a symmetric algorithm with the public key', async () => {
    const client = published({ ...members, jwks: keySet });
    const code = await client.authorize(browser);
    const good = assertion(client.id);
    const [, claims] = good.client_assertion.split('.');
    const forgeries = [`${base64url({ alg: 'none' })}.${claims}.`];
    for (const secret of [
      JSON.stringify(keySet.keys[0]),
      KEYS.publicKey.export({ type: 'spki', format: 'pem' }),
      KEYS.publicKey.export({ type: 'spki', format: 'der' }),
    ]) {
      const signed = `${base64url({ alg: 'HS256', kid: 'k' })}.${claims}`;
      const mac = createHmac('sha256', secret).update(signed).digest('base64url');
      forgeries.push(`${signed}.${mac}`);
    }
    for (const forged of forgeries) {
      const answer = await client.exchange(code, { ...good, client_assertion: forged });
      expect([answer.status, answer.json()]).toEqual([
        401,
        { error: 'invalid_client', error_description: 'client authentication failed' },
      ]);
    }
    expect((await client.exchange(code, good)).status).toBe(200);
  });

  it.each<[string, object]>([
    ['of an extension that the library knows', { crit: ['b64'], b64: true }],
    ['of one that it does not', { crit: ['exp'], exp: 1 }],
    ['that is empty', { crit: [] }],
  ])('401 | crit %s', async (_what, header) => {
    const client = published({ ...members, jwks: keySet });
    const code = await client.authorize(browser);
    const proof = assertion(client.id, {}, KEYS.privateKey, header);
    expect(errorOf(await client.exchange(code, proof))).toEqual([401, 'invalid_client']);
    expect((await client.exchange(code, assertion(client.id))).status).toBe(200);
  });

  it('401 | an assertion that is nested as deep as its room allows', async () => {
    const client = published({ ...members, jwks: keySet });
    const code = await client.authorize(browser);
    const answer = await client.exchange(code, assertion(client.id, { deep: DEEP }));
    expect(errorOf(answer)).toEqual([401, 'invalid_client']);
    expect((await client.exchange(code, assertion(client.id))).status).toBe(200);
  });

  it('of parallel uses of one assertion one counts', async () => {
    const client = published({ ...members, jwks: keySet });
    const { refresh_token: token } = (
      await client.exchange(await client.authorize(browser), assertion(client.id))
    ).json<TokenResponse>();
    const proof = assertion(client.id);
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => client.refresh(token, proof)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
  });

  it('may publish them elsewhere: not at special-use addresses, not through redirects', async () => {
    const [good, moved] = [`${path}/keys`, `${path}/moved`];
    host.answer(good, (_request, response) =>
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(keySet)),
    );
    host.answer(moved, (_request, response) =>
      response.writeHead(302, { location: host.url(good) }).end(),
    );
    const statusWith = async (jwksUri: string) => {
      path = `/${randomUUID()}`;
      const client = published({ ...members, jwks_uri: jwksUri });
      const code = await client.authorize(browser);
      const answer = await client.exchange(code, assertion(client.id));
      return [answer.status, answer.json()['error_description']];
    };
    const refused = [401, 'client authentication failed'];
    const before = host.connections;
    for (const address of ['127.0.0.1', '[::1]', 'app.localhost', 'unknown.invalid']) {
      expect(await statusWith(`https://${address}${good}`)).toEqual(refused);
    }
    expect(host.connections - before).toBe(4);
    expect(await statusWith(host.url(moved))).toEqual(refused);
    expect(host.countOf(good)).toBe(0);
    expect(await statusWith(host.url(good))).toEqual([200, undefined]);
  });

  it('may not publish them on other ports: the app could not be verified', async () => {
    const elsewhere = `https://127.0.0.1:${host.port}/keys`;
    const client = published({ ...members, jwks_uri: elsewhere });
    expect((await browser.get(client.authorizePath())).status).toBe(400);
    expect(host.countOf('/keys')).toBe(0);
  });
});
