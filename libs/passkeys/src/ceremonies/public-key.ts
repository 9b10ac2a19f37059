import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { cose, decodeCredentialPublicKey } from '@simplewebauthn/server/helpers';

const { COSEKEYS, COSEALG, COSEKTY, COSECRV } = cose;
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;

type Members = ReadonlyMap<number, unknown>;

/**
 * Imports a COSE public key as the algorithm it claims (RFC 9053). Throws when that fails: the library accepts any
 * map with an accepted `alg`, and an account with such a key could never sign in. `attested` is the algorithm of a
 * self-attestation (WebAuthn L3 §8.2).
 */
export function importPublicKey(coseKey: Uint8Array<ArrayBuffer>, attested?: number): KeyObject {
  const members = decodeCredentialPublicKey(coseKey) as unknown as Members;
  if (attested !== undefined) expectMember(members, COSEKEYS.alg, attested);
  const key = createPublicKey({ key: toJwk(members), format: 'jwk' });
  if (key.asymmetricKeyType === 'rsa') expectStrength(key);
  return key;
}

function toJwk(members: Members): JsonWebKey {
  switch (members.get(COSEKEYS.alg)) {
    case COSEALG.EdDSA:
      expectMember(members, COSEKEYS.kty, COSEKTY.OKP);
      expectMember(members, COSEKEYS.crv, COSECRV.ED25519);
      return { kty: 'OKP', crv: 'Ed25519', x: bytes(members, COSEKEYS.x) };
    case COSEALG.ES256:
      expectMember(members, COSEKEYS.kty, COSEKTY.EC2);
      expectMember(members, COSEKEYS.crv, COSECRV.P256);
      return {
        kty: 'EC',
        crv: 'P-256',
        x: bytes(members, COSEKEYS.x),
        y: bytes(members, COSEKEYS.y),
      };
    case COSEALG.RS256:
      expectMember(members, COSEKEYS.kty, COSEKTY.RSA);
      return { kty: 'RSA', n: bytes(members, COSEKEYS.n), e: bytes(members, COSEKEYS.e) };
    default:
      throw new Error('this algorithm is not accepted');
  }
}

function expectMember(members: Members, label: number, value: number) {
  if (members.get(label) !== value)
    throw new Error('the key is not one of the algorithm it claims');
}

function bytes(members: Members, label: number) {
  const value = members.get(label);
  if (!(value instanceof Uint8Array)) throw new Error('a member of the key is missing');
  return Buffer.from(value).toString('base64url');
}

function expectStrength({ asymmetricKeyDetails }: KeyObject) {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS) throw new Error('RSA key size');
  if (publicExponent < 3n || publicExponent % 2n === 0n) throw new Error('RSA exponent');
}
