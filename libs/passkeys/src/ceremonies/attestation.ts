import { decodeAttestationObject } from '@simplewebauthn/server/helpers';

/** Strict, so that the library cannot decode other bytes than this file does. */
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/**
 * Throws unless the attestation is `none` or packed self-attestation, the two that answer an option of `none`
 * (WebAuthn L3 §8.7, §8.2). The others carry certificates, whose revocation lists the library would fetch during
 * the request. Returns the algorithm that a self-attestation claims, which has to be the credential's own.
 */
export function acceptedAttestation(attestationObject: unknown): { algorithm?: number } {
  if (typeof attestationObject !== 'string' || !BASE64URL.test(attestationObject)) {
    throw new Error('attestationObject is not base64url');
  }
  const bytes = new Uint8Array(Buffer.from(attestationObject, 'base64url'));
  const decoded = decodeAttestationObject(bytes);
  if (decoded.get('fmt') === 'none') return {};
  const statement = decoded.get('attStmt');
  const algorithm = statement.get('alg');
  const selfAttested = decoded.get('fmt') === 'packed' && statement.get('x5c') === undefined;
  if (!selfAttested || algorithm === undefined) throw new Error('Unsupported Attestation Format');
  return { algorithm };
}
