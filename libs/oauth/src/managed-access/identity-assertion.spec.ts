import { createHmac, generateKeyPairSync, randomUUID } from 'node:crypto';
import { exportJWK, importJWK, type JWTPayload, SignJWT } from 'jose';
import type { CryptoKey, JWSHeaderParameters } from 'jose';
import type { TrustedIssuer } from '../oauth.module-definition.js';
import { AssertionRefusal, verifyAssertion } from './identity-assertion.js';
import { UnknownKeyError } from './issuer-keys.service.js';

const IDP = 'https://idp.example/acme';
const ORIGIN = 'https://gate.example';
const RESOURCE = `${ORIGIN}/svc/mcp`;
const TYPE = 'oauth-id-jag+jwt';

const EC = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const RSA = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ED = generateKeyPairSync('ed25519');

const trusted: TrustedIssuer = {
  issuer: IDP,
  name: 'Acme',
  clients: ['app', 'other'],
  scopes: ['account:read'],
  accounts: 'linked',
};

const now = () => Math.floor(Date.now() / 1000);

const claimsOf = (changes: object = {}): JWTPayload => ({
  iss: IDP,
  sub: 'ann',
  aud: ORIGIN,
  client_id: 'app',
  resource: RESOURCE,
  jti: 'one',
  iat: now(),
  exp: now() + 300,
  ...changes,
});

const sign = (changes: object = {}, header: object = {}, key = EC.privateKey) =>
  new SignJWT(claimsOf(changes))
    .setProtectedHeader({ alg: 'ES256', typ: TYPE, kid: 'k', ...header })
    .sign(key);

const publicKey = async (alg = 'ES256', pair = EC) =>
  (await importJWK(await exportJWK(pair.publicKey), alg)) as CryptoKey;

type KeyOf = (trusted: TrustedIssuer, header: JWSHeaderParameters) => Promise<CryptoKey>;

const verify = (assertion: string, keyOf: KeyOf = () => publicKey()) =>
  verifyAssertion(assertion, { audience: ORIGIN, clientId: 'app', issuers: [trusted], keyOf });

const faultOf = async (assertion: string, keyOf?: KeyOf) => {
  const error: unknown = await verify(assertion, keyOf).catch((reason: unknown) => reason);
  if (error instanceof AssertionRefusal) return error.message;
  throw new Error(`no fault: ${String(error)}`);
};

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

describe('identity assertion', () => {
  it('is verified and returned in parts', async () => {
    const assertion = await sign({ scope: 'account:read', name: 'Ann', email: 'x' });
    expect(await verify(assertion)).toEqual({
      trusted,
      subject: 'ann',
      resource: RESOURCE,
      scope: 'account:read',
      name: 'Ann',
      idHash: expect.stringMatching(/^[\w-]{43}$/),
      expiresAt: expect.any(Number),
    });
  });

  it('is kept apart from others by issuer and jti alone', async () => {
    const idOf = async (changes: object) => (await verify(await sign(changes))).idHash;
    expect(await idOf({ sub: 'bob', exp: now() + 60 })).toBe(await idOf({}));
    expect(await idOf({ jti: 'two' })).not.toBe(await idOf({}));
  });

  it.each<[string, object]>([
    ['a list of the issuer alone', { aud: [ORIGIN] }],
    ['ten minutes ahead', { exp: now() + 600 }],
    ['a clock that is a little fast', { iat: now() + 50, nbf: now() + 50 }],
    ['a clock that is a little slow', { exp: now() - 50 }],
    ['no scope', { scope: undefined }],
    ['no resource', { resource: undefined }],
    ['a resource that is null', { resource: null }],
    ['the issuer with a slash as audience', { aud: `${ORIGIN}/` }],
    ['a list of that', { aud: [`${ORIGIN}/`] }],
    ['a subject of 255 characters', { sub: 's'.repeat(255) }],
  ])('may have %s', async (_what, changes) => {
    expect(await verify(await sign(changes))).toMatchObject({ trusted });
  });

  it.each([
    ['of another case', 'OAuth-ID-JAG+JWT'],
    ['with its media type', `application/${TYPE}`],
  ])('may have a typ %s', async (_what, typ) => {
    expect(await verify(await sign({}, { typ }))).toMatchObject({ trusted });
  });

  it.each<[string, typeof EC]>([
    ['RS256', RSA],
    ['PS256', RSA],
    ['Ed25519', ED],
    ['EdDSA', ED],
  ])('may be signed with %s', async (alg, pair) => {
    const assertion = await sign({}, { alg }, pair.privateKey);
    const verified = await verify(assertion, () => publicKey(alg, pair));
    expect(verified.subject).toBe('ann');
  });

  it.each<[string, string, object, object?]>([
    ['another audience', 'the aud of', { aud: 'https://evil.example' }],
    ['the audience with two slashes', 'the aud of', { aud: `${ORIGIN}//` }],
    ['two audiences', 'the aud of', { aud: [ORIGIN, 'https://evil.example'] }],
    ['the audience twice', 'the aud of', { aud: [ORIGIN, ORIGIN] }],
    ['no audience', 'the aud of', { aud: undefined }],
    ['another typ', 'the typ of', {}, { typ: 'JWT' }],
    ['no typ', 'the typ of', {}, { typ: undefined }],
    ['the typ of an access token', 'the typ of', {}, { typ: 'at+jwt' }],
    ['another client', 'the client_id of', { client_id: 'other' }],
    ['no client', 'the client_id of', { client_id: undefined }],
    ['an issuer that is not listed', 'the iss of', { iss: 'https://evil.example' }],
    ['the issuer with a slash', 'the iss of', { iss: `${IDP}/` }],
    ['a list of issuers', 'the iss of', { iss: [IDP] }],
    ['an empty resource', 'the resource of', { resource: '' }],
    ['a list of resources', 'the resource of', { resource: [RESOURCE] }],
    ['a past end', 'the exp of', { exp: now() - 61 }],
    ['an end too far ahead', 'the exp of', { exp: now() + 700 }],
    ['no end', 'the exp of', { exp: undefined }],
    ['an end in words', 'the exp of', { exp: 'tomorrow' }],
    ['no iat', 'the iat of', { iat: undefined }],
    ['a beginning in the future', 'the iat of', { iat: now() + 70 }],
    ['an nbf in the future', 'the nbf of', { nbf: now() + 70 }],
    ['an nbf in words', 'the nbf of', { nbf: 'soon' }],
    ['no jti', 'the assertion has to have a jti', { jti: undefined }],
    ['an empty jti', 'the assertion has to have a jti', { jti: '' }],
    ['no sub', 'the sub of', { sub: undefined }],
    ['an empty sub', 'the sub of', { sub: '' }],
    ['a sub of 10,000 characters', 'the sub of', { sub: 's'.repeat(10_000) }],
    ['a sub with NUL', 'the sub of', { sub: 'a\0b' }],
    ['half a character in sub', 'the sub of', { sub: '\ud800' }],
    ['a list of scopes', 'the scope of', { scope: ['account:read'] }],
    ['a tenant', 'the tenant of', { tenant: 'acme' }],
    ['an empty tenant', 'the tenant of', { tenant: '' }],
    ['a key of its holder', 'the assertion has cnf', { cnf: { jkt: 'x' } }],
    ['details', 'the assertion has cnf', { authorization_details: [{ type: 'notes' }] }],
    ['empty details', 'the assertion has cnf', { authorization_details: [] }],
  ])('is refused with %s', async (_what, beginning, changes, ...[header]) => {
    const fault = await faultOf(await sign(changes, header));
    expect(fault.slice(0, beginning.length)).toBe(beginning);
    expect(fault).toMatch(/^[\x20-\x7e]{20,160}$/);
  });

  it('is refused for a client that its issuer may not vouch for, before its keys are fetched', async () => {
    const assertion = await sign({ client_id: 'third' });
    const verification = { audience: ORIGIN, clientId: 'third', issuers: [trusted] };
    const keyOf = jest.fn<Promise<CryptoKey>, []>(() => publicKey());
    await expect(verifyAssertion(assertion, { ...verification, keyOf })).rejects.toThrow(
      'this client may not present',
    );
    expect(keyOf).not.toHaveBeenCalled();
  });

  it('of an issuer with tenants is of the trusted one alone', async () => {
    const verification = { audience: ORIGIN, clientId: 'app', keyOf: () => publicKey() };
    const verifyOf = async (tenant: unknown) =>
      verifyAssertion(await sign({ tenant }), {
        ...verification,
        issuers: [{ ...trusted, tenant: 'acme' }],
      });
    expect(await verifyOf('acme')).toMatchObject({ subject: 'ann' });
    for (const tenant of ['globex', 'ACME', ['acme'], undefined]) {
      await expect(verifyOf(tenant)).rejects.toThrow('the tenant of the assertion');
    }
  });

  it.each(['', 'x', 'a.b', 'a.b.c', `${part({ alg: 'ES256' })}.${part([])}.x`, '..', 'e.e.e.e.e'])(
    'is refused when it is none: %j',
    async (text) => {
      expect(await faultOf(text)).toBe('the assertion is not a signed JWT');
    },
  );

  it('is refused without a signature', async () => {
    const [, claims] = (await sign()).split('.');
    const none = `${part({ alg: 'none', typ: TYPE })}.${claims}.`;
    expect(await faultOf(none)).toMatch(/^the assertion has to be signed with one of RS256, /);
  });

  it.each(['HS256', 'HS512'])('is refused with %s and the public key as secret', async (alg) => {
    const secret = EC.publicKey.export({ format: 'pem', type: 'spki' });
    const [, claims] = (await sign()).split('.');
    const input = `${part({ alg, typ: TYPE, kid: 'k' })}.${claims}`;
    const mac = createHmac(alg.replace('HS', 'sha'), secret).update(input).digest('base64url');
    const keyOf = jest.fn<Promise<CryptoKey>, []>(() => publicKey());
    expect(await faultOf(`${input}.${mac}`, keyOf)).toMatch(/^the assertion has to be signed/);
    expect(keyOf).not.toHaveBeenCalled();
  });

  it('is refused with the signature of another key, or of other claims', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' });
    const message = 'the signature of the assertion is not valid';
    expect(await faultOf(await sign({}, {}, stranger.privateKey))).toBe(message);
    const [header, , signature] = (await sign()).split('.');
    const claims = part(claimsOf({ sub: 'eve' }));
    expect(await faultOf(`${header}.${claims}.${signature}`)).toBe(message);
  });

  it('is refused with a key that the issuer does not publish', async () => {
    const unknown = () => Promise.reject(new UnknownKeyError());
    expect(await faultOf(await sign(), unknown)).toMatch(/not signed with a key that its issuer/);
  });

  it('is refused with header members that the service does not understand', async () => {
    const critical = await new SignJWT(claimsOf())
      .setProtectedHeader({ alg: 'ES256', typ: TYPE, crit: ['ours'], ours: 1 })
      .sign(EC.privateKey, { crit: { ours: true } });
    expect(await faultOf(critical)).toBe('the assertion is not a signed JWT');
  });

  it('is refused with crit, also of what the library understands', async () => {
    const critical = await sign({}, { crit: ['b64'], b64: true });
    expect(await faultOf(critical)).toBe('the assertion is not a signed JWT');
  });

  it.each([' ', '\n', '\t', '\0', '\u00a0', '\ufeff', '=', '.', '~', '"', "'"])(
    'is refused with %j before, behind or in it',
    async (other) => {
      const assertion = await sign();
      const [header = '', ...rest] = assertion.split('.');
      for (const text of [
        other + assertion,
        assertion + other,
        [header + other, ...rest].join('.'),
      ]) {
        expect(await faultOf(text)).toBe('the assertion is not a signed JWT');
      }
    },
  );

  it('is not repeated in the text of a refusal', async () => {
    const secret = randomUUID();
    const changes = { aud: secret, sub: secret, client_id: secret, jti: secret, resource: secret };
    for (const [name, value] of Object.entries(changes)) {
      const outcome = await verify(await sign({ [name]: value })).catch(String);
      expect(typeof outcome === 'string' ? outcome : '').not.toContain(secret);
    }
  });
});
