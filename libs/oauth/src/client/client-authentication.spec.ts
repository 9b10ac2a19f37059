import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { clientKeys, presentedCredentials } from './client-authentication.js';

const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });

describe('client keys', () => {
  it('takes RSA, EC and OKP keys as they are', () => {
    const keys = [
      { ...jwk(ec.publicKey), kid: 'a', alg: 'ES256', use: 'sig' },
      jwk(generateKeyPairSync('ed25519').publicKey),
      jwk(rsa(2048).publicKey),
    ];
    expect(clientKeys({ keys, other: 1 })).toEqual({ keys });
  });

  it('keeps of a key what it knows, when it is of the right type', () => {
    const key = jwk(ec.publicKey);
    const lists = { key_ops: ['verify'], x5c: ['AA'] };
    const nested = JSON.parse(`${'['.repeat(5_000)}${']'.repeat(5_000)}`) as unknown;
    const others = { nested, kid: nested, alg: { toString: null }, use: 1, x5t: ['AA'] };
    expect(clientKeys({ keys: [{ ...key, ...lists, ...others }] })).toEqual({
      keys: [{ ...key, ...lists }],
    });
    expect(clientKeys({ keys: [{ ...key, key_ops: [1], x5c: nested }] })).toEqual({ keys: [key] });
  });

  it.each([
    ['no set', undefined],
    ['a list', [jwk(ec.publicKey)]],
    ['no keys', {}],
    ['an empty set', { keys: [] }],
    ['too many keys', { keys: Array.from({ length: 21 }, () => jwk(ec.publicKey)) }],
    ['a key that is no object', { keys: ['key'] }],
    ['a private EC key', { keys: [jwk(ec.publicKey), jwk(ec.privateKey)] }],
    ['a private RSA key', { keys: [jwk(rsa(2048).privateKey)] }],
    ['a symmetric key', { keys: [jwk(createSecretKey(Buffer.alloc(32)))] }],
    ['a small RSA key', { keys: [jwk(rsa(1024).publicKey)] }],
    ['a point that is not on its curve', { keys: [{ ...jwk(ec.publicKey), x: 'AA' }] }],
    ['an unknown type', { keys: [{ kty: 'PQ', pub: 'AA' }] }],
  ])('refuses %s', (_what, jwks) => {
    expect(() => clientKeys(jwks)).toThrow(
      expect.objectContaining({ error: 'invalid_client_metadata' }),
    );
  });
});

describe('credentials of a token request', () => {
  const read = (form: Record<string, string>, authorization?: string) =>
    presentedCredentials(new URLSearchParams(form), authorization);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const assertion = (claims: unknown) =>
    `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.c2ln`;

  it.each([
    [{ client_id: 'a' }, undefined, 'none', 'a'],
    [{ client_id: 'a', client_secret: 's' }, undefined, 'client_secret_post', 'a'],
    [{}, basic('a:s'), 'client_secret_basic', 'a'],
    [{}, basic('a:'), 'client_secret_basic', 'a'],
    [{}, basic('a:s').replace('Basic', 'basic'), 'client_secret_basic', 'a'],
    [{ client_id: 'a' }, basic('a:s:t'), 'client_secret_basic', 'a'],
    [{}, basic('https%3A%2F%2Fa.test%2F+b:s'), 'client_secret_basic', 'https://a.test/ b'],
    [{ client_assertion: assertion({ sub: 'a' }) }, undefined, 'private_key_jwt', 'a'],
    [{ client_id: 'b', client_assertion: 'x' }, undefined, 'private_key_jwt', 'b'],
  ])('of %j and %s are %s', (form, authorization, method, clientId) => {
    expect(read(form, authorization)).toEqual({ clientId, method });
  });

  it.each([
    [{ client_id: 'b' }, basic('a:s')],
    [{ client_secret: 's' }, basic('a:s')],
    [{ client_assertion: 'x' }, basic('a:s')],
    [{ client_id: 'a', client_secret: 's', client_assertion: 'x' }, undefined],
  ])('of %j and %s contradict each other', (form, authorization) => {
    const refusal = { status: 400, error: 'invalid_request', headers: {} };
    expect(() => read(form, authorization)).toThrow(expect.objectContaining(refusal));
  });

  it.each(['Basic', 'Basic a b', 'Basic !', 'Bearer YTpz', basic('a'), basic(':s'), basic('%:s')])(
    'that cannot be read from %s are refused with a challenge',
    (authorization) => {
      const headers = { 'WWW-Authenticate': 'Basic realm="OAuth"' };
      const refusal = { status: 401, error: 'invalid_client', headers };
      expect(() => read({}, authorization)).toThrow(expect.objectContaining(refusal));
    },
  );

  it.each<Record<string, string>>([
    {},
    { client_secret: 's' },
    { client_assertion: 'x' },
    { client_assertion: assertion([]) },
    { client_assertion: assertion({ sub: 1 }) },
  ] as Record<string, string>[])('that name no client are refused: %j', (form) => {
    const refusal = { status: 401, error: 'invalid_client', headers: {} };
    expect(() => read(form)).toThrow(expect.objectContaining(refusal));
  });
});
