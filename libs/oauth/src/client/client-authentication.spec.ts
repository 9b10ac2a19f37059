import { createSecretKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { hashSecret } from '#libs/accounts';
import { clientKeys, compareSecret } from './client-authentication.js';

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

describe('client secret', () => {
  it('is told by its hash', () => {
    expect(compareSecret('s3cret', hashSecret('s3cret'))).toBe(true);
  });

  it.each([
    ['another secret', 's3cret2', hashSecret('s3cret')],
    ['no secret', '', hashSecret('s3cret')],
    ['the hash itself', hashSecret('s3cret'), hashSecret('s3cret')],
    ['a client without a secret', '', ''],
    ['a hash that is none', 's3cret', 's3cret'],
  ])('is not %s', (_what, presented, secretHash) => {
    expect(compareSecret(presented, secretHash)).toBe(false);
  });
});
