import { sha256 } from './authenticator-data.js';
import type { KeyPair } from './key-pair.js';
import type { SignatureOverrides } from './overrides.js';

/** Over authenticator data and the hash of the client data (WebAuthn L3 §6.3.3, step 11). */
export function assertionSignature(
  keyPair: KeyPair,
  authData: Uint8Array,
  clientData: Uint8Array,
  overrides: SignatureOverrides,
): Uint8Array {
  if (overrides.signature) return overrides.signature;
  const signed = [authData, sha256(clientData)];
  if (overrides.badSignature) signed.push(Uint8Array.of(0));
  return (overrides.signingKey ?? keyPair).sign(Buffer.concat(signed));
}
