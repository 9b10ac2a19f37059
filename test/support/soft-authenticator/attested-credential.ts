import { encodeCbor } from './cbor.js';
import { labelled } from './cose-key.js';
import type { CreateOverrides } from './overrides.js';
import type { Passkey } from './passkey.js';
import { decodeBase64Url } from './base64url.js';

/** AAGUID, credential id and public key (WebAuthn L3 §6.5.1). */
export function encodeAttestedCredential(
  passkey: Passkey,
  aaguid: string,
  overrides: CreateOverrides,
): Uint8Array {
  const id = decodeBase64Url(passkey.id, 'passkey id');
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.byteLength);
  return Buffer.concat([
    aaguidBytes(overrides.aaguid ?? aaguid),
    length,
    id,
    publicKey(passkey, overrides),
  ]);
}

function aaguidBytes(aaguid: string | Uint8Array): Uint8Array {
  if (typeof aaguid !== 'string') return aaguid;
  return Buffer.from(aaguid.replaceAll('-', ''), 'hex');
}

function publicKey({ keyPair }: Passkey, { alg, cose }: CreateOverrides): Uint8Array {
  if (cose instanceof Uint8Array) return cose;
  const key = cose ?? keyPair.cose();
  return encodeCbor(alg === undefined ? key : labelled(key, alg));
}
