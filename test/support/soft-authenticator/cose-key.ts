import type { KeyObject } from 'node:crypto';
import { ALG, type Algorithm } from './algorithm.js';
import { decodeBase64Url } from './base64url.js';
import type { CborValue } from './cbor.js';

/** A COSE_Key (RFC 9052 §7): label to value. */
export type CoseKey = ReadonlyMap<number, CborValue>;

const [KTY, LABEL_ALG] = [1, 3];

/** The key in COSE's canonical order. */
export function coseKey(algorithm: Algorithm, publicKey: KeyObject): CoseKey {
  const jwk = publicKey.export({ format: 'jwk' });
  const part = (name: 'x' | 'y' | 'n' | 'e') => decodeBase64Url(jwk[name], `JWK member ${name}`);
  const members: Record<Algorithm, () => [number, CborValue][]> = {
    [ALG.ES256]: () => [
      [KTY, 2],
      [LABEL_ALG, algorithm],
      [-1, 1],
      [-2, part('x')],
      [-3, part('y')],
    ],
    [ALG.EdDSA]: () => [
      [KTY, 1],
      [LABEL_ALG, algorithm],
      [-1, 6],
      [-2, part('x')],
    ],
    [ALG.RS256]: () => [
      [KTY, 3],
      [LABEL_ALG, algorithm],
      [-1, part('n')],
      [-2, part('e')],
    ],
  };
  return new Map(members[algorithm]());
}

/** The same key material under another algorithm identifier. */
export function labelled(key: CoseKey, algorithm: number): CoseKey {
  return new Map(key).set(LABEL_ALG, algorithm);
}
