import { encodeCbor, type CborValue } from './cbor.js';
import type { CreateOverrides } from './overrides.js';
import type { Passkey } from './passkey.js';
import { assertionSignature } from './assertion-signature.js';

/** `none` by default, `packed` self attestation on demand (WebAuthn L3 §8.7 and §8.2). */
export function encodeAttestationObject(
  passkey: Passkey,
  authData: Uint8Array,
  clientData: Uint8Array,
  overrides: CreateOverrides,
): Uint8Array {
  const fmt = overrides.fmt ?? 'none';
  const statement = (): CborValue => {
    if (fmt !== 'packed') return new Map();
    const alg = overrides.alg ?? passkey.keyPair.algorithm;
    const sig = assertionSignature(passkey.keyPair, authData, clientData, overrides);
    return new Map<string, CborValue>([
      ['alg', alg],
      ['sig', sig],
    ]);
  };
  return encodeCbor(
    new Map<string, CborValue>([
      ['fmt', fmt],
      ['attStmt', overrides.attStmt === undefined ? statement() : overrides.attStmt],
      ['authData', authData],
    ]),
  );
}
