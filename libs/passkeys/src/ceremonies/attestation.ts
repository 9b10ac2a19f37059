import { decodeAttestationObject } from '@simplewebauthn/server/helpers';

/**
 * Throws unless the attestation is `none` or packed self-attestation, the two that answer an option
 * of `none` (WebAuthn L3 §8.7, §8.2). The others carry certificates, and the library would fetch
 * the revocation lists that these name in the middle of a request.
 */
export function expectAcceptedAttestation(attestationObject: string): void {
  const decoded = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, 'base64url')),
  );
  const format = decoded.get('fmt');
  const selfAttested = format === 'packed' && decoded.get('attStmt').get('x5c') === undefined;
  if (format !== 'none' && !selfAttested) throw new Error('Unsupported Attestation Format');
}
