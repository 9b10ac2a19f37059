import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import {
  clientKeys,
  faultOfAssertion,
  faultOfClaims,
  isMethodAllowed,
  presentedCredentials,
} from './client-authentication.js';

const jwk = (key: KeyObject) => key.export({ format: 'jwk' });
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const rsa = (modulusLength: number) => generateKeyPairSync('rsa', { modulusLength });

const base64urlOf = (number: bigint) => {
  const hex = number.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex').toString('base64url');
};

/** A key with a modulus of that length: to generate one takes seconds. */
const rsaOf = (bits: number, exponent = 65_537n) => ({
  kty: 'RSA',
  e: base64urlOf(exponent),
  n: base64urlOf((1n << BigInt(bits)) - 1n),
});

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
const assertion = (claims: unknown, header: unknown = {}) => `${part(header)}.${part(claims)}.c2ln`;

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
    expect(clientKeys({ keys: [{ ...key, key_ops: ['verify', 1], x5c: nested }] })).toEqual({
      keys: [key],
    });
  });

  const count = 'jwks must have 1 to 20 keys';
  const notPublic = 'jwks must have public keys only';
  const unusable = 'jwks must have valid RSA (2048 to 8192 bit), EC or OKP keys only';

  it.each([
    ['no set', undefined, count],
    ['a list', [jwk(ec.publicKey)], count],
    ['no keys', {}, count],
    ['an empty set', { keys: [] }, count],
    ['too many keys', { keys: Array.from({ length: 21 }, () => jwk(ec.publicKey)) }, count],
    ['a key that is no object', { keys: ['key'] }, 'jwks must have an object for each key'],
    ['a private EC key', { keys: [jwk(ec.publicKey), jwk(ec.privateKey)] }, notPublic],
    ['a private RSA key', { keys: [jwk(rsa(2048).privateKey)] }, notPublic],
    ['a symmetric key', { keys: [jwk(createSecretKey(Buffer.alloc(32)))] }, notPublic],
    ['a small RSA key', { keys: [jwk(rsa(1024).publicKey)] }, unusable],
    ['a large RSA key', { keys: [rsaOf(8193)] }, unusable],
    ['an RSA exponent of 1', { keys: [rsaOf(2048, 1n)] }, unusable],
    ['an even RSA exponent', { keys: [rsaOf(2048, 65_536n)] }, unusable],
    ['an RSA exponent beyond 32 bits', { keys: [rsaOf(2048, 2n ** 32n + 1n)] }, unusable],
    ['an RSA exponent as long as its modulus', { keys: [rsaOf(3072, 2n ** 3064n - 1n)] }, unusable],
    ['a point that is not on its curve', { keys: [{ ...jwk(ec.publicKey), x: 'AA' }] }, unusable],
    ['an unknown type', { keys: [{ kty: 'PQ', pub: 'AA' }] }, unusable],
  ])('refuses %s', (_what, jwks, message) => {
    const refusal = { name: 'ClientMetadataError', error: 'invalid_client_metadata', message };
    expect(() => clientKeys(jwks)).toThrow(expect.objectContaining(refusal));
  });

  it.each(['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k', 'priv'])(
    'refuses a key with the private member %s',
    (member) => {
      expect(() => clientKeys({ keys: [{ ...jwk(ec.publicKey), [member]: 'AA' }] })).toThrow(
        expect.objectContaining({ message: notPublic }),
      );
    },
  );

  it('takes 20 keys, and RSA keys of 8192 bits, with exponents from 3 to 32 bits', () => {
    const others = [rsaOf(8192), rsaOf(2048, 3n), rsaOf(2048, 2n ** 32n - 1n)];
    const keys = [...Array.from({ length: 17 }, () => jwk(ec.publicKey)), ...others];
    expect(clientKeys({ keys })).toEqual({ keys });
  });
});

describe('credentials of a token request', () => {
  const read = (form: Record<string, string>, authorization?: string) =>
    presentedCredentials(new URLSearchParams(form), authorization);
  const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`;
  const severalWays = 'use one way of client authentication, not several';

  const by = (clientId: string, secret: string) =>
    secret === ''
      ? { clientId, method: 'none' }
      : { clientId, secret, method: 'client_secret_basic' };

  it.each<[Record<string, string>, string | undefined, ...object[]]>([
    [{ client_id: 'a' }, undefined, { clientId: 'a', method: 'none' }],
    [
      { client_id: 'a', client_secret: 's' },
      undefined,
      { clientId: 'a', secret: 's', method: 'client_secret_post' },
    ],
    [{}, basic('a:s'), by('a', 's')],
    [{}, basic('a:'), by('a', '')],
    [{}, basic('a:s').replace('Basic', 'basic'), by('a', 's')],
    [{}, basic('a:s').replace(' ', '  '), by('a', 's')],
    [{ client_id: 'a' }, basic('a:s:t'), by('a', 's:t')],
    [
      {},
      basic('https%3A%2F%2Fa.test%2F+b:s'),
      by('https://a.test/ b', 's'),
      by('https%3A%2F%2Fa.test%2F+b', 's'),
    ],
    [{}, basic('a:s+%41'), by('a', 's A'), by('a', 's+%41')],
    [{}, basic('a:100%'), by('a', '100%')],
    [{}, basic('%:s'), by('%', 's')],
    [{}, basic('https://a.test/b:'), by('https', '//a.test/b:'), by('https://a.test/b', '')],
    [{ client_id: 'https://a.test/b' }, basic('https://a.test/b:'), by('https://a.test/b', '')],
    [
      { client_assertion: assertion({ sub: 'a' }) },
      undefined,
      { clientId: 'a', method: 'private_key_jwt' },
    ],
    [
      { client_id: 'b', client_assertion: 'x' },
      undefined,
      { clientId: 'b', method: 'private_key_jwt' },
    ],
  ])('of %j and %s are %j', (form, authorization, ...readings) => {
    expect(read(form, authorization)).toEqual(readings);
  });

  it.each([
    [{ client_id: 'b' }, basic('a:s'), 'client_id differs'],
    [{ client_secret: 's' }, basic('a:s'), severalWays],
    [{ client_assertion: 'x' }, basic('a:s'), severalWays],
    [{ client_id: 'a', client_secret: 's', client_assertion: 'x' }, undefined, severalWays],
  ])('of %j and %s contradict each other', (form, authorization, message) => {
    const refusal = { status: 400, error: 'invalid_request', message, headers: {} };
    expect(() => read(form, authorization)).toThrow(expect.objectContaining(refusal));
  });

  it.each([
    'Basic',
    'Basic a b',
    'Basic !',
    'Bearer YTpz',
    `Not ${basic('a:s')}`,
    `${basic('a:s')} b`,
    basic('a'),
    basic(':s'),
  ])('that cannot be read from %s are refused with a challenge', (authorization) => {
    const message = 'the Authorization header could not be read';
    const headers = { 'WWW-Authenticate': 'Basic realm="OAuth"' };
    const refusal = { status: 401, error: 'invalid_client', message, headers };
    expect(() => read({}, authorization)).toThrow(expect.objectContaining(refusal));
  });

  it.each<Record<string, string>>([
    {},
    { client_secret: 's' },
    { client_assertion: 'x' },
    { client_assertion: assertion([]) },
    { client_assertion: assertion({ sub: 1 }) },
  ] as Record<string, string>[])('that name no client are refused: %j', (form) => {
    const message = 'client_id is missing';
    const refusal = { status: 401, error: 'invalid_client', message, headers: {} };
    expect(() => read(form)).toThrow(expect.objectContaining(refusal));
  });

  const nested = (levels: number): unknown =>
    JSON.parse('['.repeat(levels) + ']'.repeat(levels)) as unknown;

  it.each([
    [
      'claims',
      assertion({ sub: 'a', deep: nested(18) }),
      assertion({ sub: 'a', deep: nested(19) }),
    ],
    ['header', assertion({ sub: 'a' }, nested(19)), assertion({ sub: 'a' }, nested(20))],
  ])('have an assertion whose %s is not nested too deep', (_part, flat, deep) => {
    expect(read({ client_assertion: flat })).toEqual([
      { clientId: 'a', method: 'private_key_jwt' },
    ]);
    const message = 'the client assertion is nested too deep';
    const refusal = { status: 401, error: 'invalid_client', message, headers: {} };
    expect(() => read({ client_assertion: deep })).toThrow(expect.objectContaining(refusal));
  });
});

describe('authentication methods', () => {
  it('stand for each other where they send the secret, and otherwise for themselves', () => {
    const methods = [
      'none',
      'client_secret_basic',
      'client_secret_post',
      'private_key_jwt',
    ] as const;
    const allowed = methods.map((registered) =>
      methods.filter((used) => isMethodAllowed(registered, used)),
    );
    const secret = ['client_secret_basic', 'client_secret_post'];
    expect(allowed).toEqual([['none'], secret, secret, ['private_key_jwt']]);
  });
});

describe('claims of a client assertion', () => {
  const owner = { clientId: 'app', issuer: 'https://gate.example' };
  const NOW = 1_700_000_000;
  const DAY = 24 * 3600;
  const claimsWith = (changes: object) => ({
    iss: 'app',
    sub: 'app',
    aud: owner.issuer,
    exp: NOW + 60,
    jti: 'x',
    ...changes,
  });

  beforeEach(() => {
    jest.spyOn(Date, 'now').mockReturnValue(NOW * 1000);
  });
  afterEach(() => jest.restoreAllMocks());

  it.each<[string, object]>([
    ['are complete', {}],
    ['have a slash behind the issuer', { aud: `${owner.issuer}/` }],
    ['are of a clock that is 60 s ahead', { iat: NOW + 60, nbf: NOW + 60 }],
    ['end in a day', { exp: NOW + DAY }],
  ])('fit that %s', (_what, changes) => {
    expect(faultOfClaims(claimsWith(changes), owner)).toBeUndefined();
  });

  it.each<[string, string, unknown]>([
    ['iss', 'of another client', 'other'],
    ['iss', 'that is absent', undefined],
    ['sub', 'of another client', 'other'],
    ['sub', 'in a list', ['app']],
    ['aud', 'of another server', 'https://evil.example'],
    ['aud', 'with two slashes', `${owner.issuer}//`],
    ['aud', 'in a list', [owner.issuer]],
    ['aud', 'with a path', `${owner.issuer}/svc/oauth/token`],
    ['exp', 'that is now', NOW],
    ['exp', 'that is absent', undefined],
    ['exp', 'in words', 'tomorrow'],
    ['exp', 'beyond a day', NOW + DAY + 1],
    ['iat', '61 s ahead', NOW + 61],
    ['iat', 'in words', 'now'],
    ['iat', 'in digits', '1'],
    ['nbf', '61 s ahead', NOW + 61],
    ['jti', 'that is absent', undefined],
    ['jti', 'that is empty', ''],
    ['jti', 'that is a number', 1],
  ])('do not fit with %s %s, and it is named', (claim, _what, value) => {
    expect(faultOfClaims(claimsWith({ [claim]: value }), owner)).toMatch(
      new RegExp(`^the ${claim} of the client assertion must be `),
    );
  });

  it('are read of an assertion before its signature', () => {
    const [fitting, other] = [{}, { sub: 'other' }].map((changes) =>
      faultOfAssertion(assertion(claimsWith(changes)), owner),
    );
    expect([fitting, other]).toEqual([
      undefined,
      'the sub of the client assertion must be the client_id',
    ]);
  });

  it.each(['', 'x', 'e30', 'e30.W10.c2ln', 'e30.e.c2ln'])('are not found in "%s"', (text) => {
    expect(faultOfAssertion(text, owner)).toBeUndefined();
  });
});
