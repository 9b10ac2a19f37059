import { generateKeyPairSync, sign, type KeyObject } from 'node:crypto';
import { ALG, type Algorithm } from './algorithm.js';
import { coseKey, type CoseKey } from './cose-key.js';

const GENERATE: Record<Algorithm, () => { publicKey: KeyObject; privateKey: KeyObject }> = {
  [ALG.ES256]: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
  [ALG.EdDSA]: () => generateKeyPairSync('ed25519'),
  [ALG.RS256]: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
};

let shared: KeyPair | undefined;

export class KeyPair {
  private constructor(
    readonly algorithm: Algorithm,
    private readonly publicKey: KeyObject,
    private readonly privateKey: KeyObject,
  ) {}

  /** A new pair. RS256 takes about 100 ms. */
  static generate(algorithm: Algorithm): KeyPair {
    const { publicKey, privateKey } = GENERATE[algorithm]();
    return new KeyPair(algorithm, publicKey, privateKey);
  }

  /** One RS256 pair for the whole process (in jest: per test file), created on first use. */
  static sharedRsa(): KeyPair {
    shared ??= KeyPair.generate(ALG.RS256);
    return shared;
  }

  /** ECDSA signatures come in DER, as authenticators send them. */
  sign(data: Uint8Array): Uint8Array {
    const hash = this.algorithm === ALG.EdDSA ? null : 'sha256';
    return sign(hash, data, this.privateKey);
  }

  cose(): CoseKey {
    return coseKey(this.algorithm, this.publicKey);
  }

  /** DER SubjectPublicKeyInfo, what a browser's `getPublicKey()` returns. */
  spki(): Uint8Array {
    return this.publicKey.export({ format: 'der', type: 'spki' });
  }
}
