import { generateKeyPairSync, type JsonWebKey } from 'node:crypto';
import { isoCBOR } from '@simplewebauthn/server/helpers';
import { importPublicKey } from './registration-verification.js';

type Members = Map<number, number | Uint8Array<ArrayBuffer>>;

const bytes = (base64url: string | undefined) =>
  new Uint8Array(Buffer.from(base64url ?? '', 'base64url'));
const filled = (length: number, value = 0) => new Uint8Array(length).fill(value);
const jwkOf = ({ publicKey }: ReturnType<typeof generateKeyPairSync>): JsonWebKey =>
  (publicKey as unknown as { export(o: object): JsonWebKey }).export({ format: 'jwk' });

const ec = jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }) as never);
const okp = jwkOf(generateKeyPairSync('ed25519') as never);
const rsaOf = (modulusLength: number) =>
  jwkOf(generateKeyPairSync('rsa', { modulusLength }) as never);
const rsa = rsaOf(2048);

const es256 = (): Members =>
  new Map<number, number | Uint8Array<ArrayBuffer>>([
    [1, 2],
    [3, -7],
    [-1, 1],
    [-2, bytes(ec.x)],
    [-3, bytes(ec.y)],
  ]);
const eddsa = (): Members =>
  new Map<number, number | Uint8Array<ArrayBuffer>>([
    [1, 1],
    [3, -8],
    [-1, 6],
    [-2, bytes(okp.x)],
  ]);
const rs256 = (key = rsa): Members =>
  new Map<number, number | Uint8Array<ArrayBuffer>>([
    [1, 3],
    [3, -257],
    [-1, bytes(key.n)],
    [-2, bytes(key.e)],
  ]);

const encode = (members: Members) => isoCBOR.encode(members as never) as Uint8Array<ArrayBuffer>;
const without = (members: Members, label: number) => (members.delete(label), members);

describe('key import', () => {
  it.each([
    ['ES256', es256(), 'ec'],
    ['EdDSA', eddsa(), 'ed25519'],
    ['RS256', rs256(), 'rsa'],
  ])('imports %s', (_name, members, type) => {
    expect(importPublicKey(encode(members)).asymmetricKeyType).toBe(type);
  });

  it.each<[string, Members]>([
    ['nothing but an algorithm', new Map([[3, -7]])],
    ['no algorithm', without(es256(), 3)],
    ['an algorithm beyond the three', es256().set(3, -35)],
    ['an EC key labelled EdDSA', es256().set(3, -8)],
    ['an EC key labelled RS256', es256().set(3, -257)],
    ['an OKP key labelled ES256', eddsa().set(3, -7)],
    ['an RSA key labelled ES256', rs256().set(3, -7)],
    ['P-384 labelled ES256', es256().set(-1, 2)],
    ['secp256k1 labelled ES256', es256().set(-1, 8)],
    ['the curve missing', without(es256(), -1)],
    ['a coordinate missing', without(es256(), -3)],
    ['a coordinate that is a number', es256().set(-3, 7)],
    ['a coordinate too short', es256().set(-2, filled(31, 1))],
    ['a point that is not on the curve', es256().set(-2, filled(32, 1))],
    ['an all-zero point', es256().set(-2, filled(32)).set(-3, filled(32))],
    ['an Ed25519 key too short', eddsa().set(-2, filled(31, 1))],
    ['an X25519 curve', eddsa().set(-1, 4)],
    ['an RSA modulus of 1024 bits', rs256(rsaOf(1024))],
    ['an RSA modulus of 8200 bits', rs256().set(-1, filled(1025, 0xff))],
    ['an RSA exponent of 1', rs256().set(-2, filled(1, 1))],
    ['an even RSA exponent', rs256().set(-2, filled(1, 4))],
    ['an RSA exponent of 33 bits', rs256().set(-2, filled(5, 1))],
    ['an empty RSA modulus', rs256().set(-1, filled(0))],
  ])('refuses %s', (_what, members) => {
    expect(() => importPublicKey(encode(members))).toThrow();
  });
});
