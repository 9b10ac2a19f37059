import { createPublicKey, type JsonWebKey, type KeyObject } from 'node:crypto';
import { type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server';
import {
  cose,
  decodeAttestationObject,
  decodeCredentialPublicKey,
} from '@simplewebauthn/server/helpers';
import type { OwnOrigin } from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import {
  ACCEPTED_ALGORITHMS,
  acceptedTransports,
  type NewCredential,
} from '../credential/credential.js';
import { type ClientData, expectedOf, notVerified } from '../ceremony.js';

/** Strict, so that the library cannot decode other bytes than this file does. */
const BASE64URL = /^[A-Za-z0-9_-]+$/;

/**
 * Accepts `none` and packed self-attestation alone (WebAuthn L3 §8.7, §8.2): others carry certificates, whose
 * revocation lists the library would fetch. Returns the claimed algorithm of a self-attestation.
 */
function acceptedAttestation(attestationObject: unknown): { algorithm?: number } {
  if (typeof attestationObject !== 'string' || !BASE64URL.test(attestationObject)) {
    throw new Error('attestationObject is not base64url');
  }
  const decoded = decodeAttestationObject(
    new Uint8Array(Buffer.from(attestationObject, 'base64url')),
  );
  if (decoded.get('fmt') === 'none') return {};
  const statement = decoded.get('attStmt');
  const algorithm = statement.get('alg');
  const selfAttested = decoded.get('fmt') === 'packed' && statement.get('x5c') === undefined;
  if (!selfAttested || algorithm === undefined) throw new Error('Unsupported Attestation Format');
  return { algorithm };
}

const { COSEKEYS, COSEALG, COSEKTY, COSECRV } = cose;
const MIN_RSA_BITS = 2048;
const MAX_RSA_BITS = 8192;
const MAX_RSA_EXPONENT = 2n ** 32n;

type Members = ReadonlyMap<number, unknown>;

/**
 * Imports a COSE public key as the algorithm it claims (RFC 9053), and that of a self-attestation in `attested`. The
 * library accepts any map with an accepted `alg`: an account with such a key could never sign in.
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
      return { kty: 'OKP', crv: 'Ed25519', x: memberBytes(members, COSEKEYS.x) };
    case COSEALG.ES256:
      expectMember(members, COSEKEYS.kty, COSEKTY.EC2);
      expectMember(members, COSEKEYS.crv, COSECRV.P256);
      return {
        kty: 'EC',
        crv: 'P-256',
        x: memberBytes(members, COSEKEYS.x),
        y: memberBytes(members, COSEKEYS.y),
      };
    case COSEALG.RS256:
      expectMember(members, COSEKEYS.kty, COSEKTY.RSA);
      return {
        kty: 'RSA',
        n: memberBytes(members, COSEKEYS.n),
        e: memberBytes(members, COSEKEYS.e),
      };
    default:
      throw new Error('this algorithm is not accepted');
  }
}

function expectMember(members: Members, label: number, value: number) {
  if (members.get(label) !== value)
    throw new Error('the key is not one of the algorithm it claims');
}

function memberBytes(members: Members, label: number) {
  const value = members.get(label);
  if (!(value instanceof Uint8Array)) throw new Error('a member of the key is missing');
  return Buffer.from(value).toString('base64url');
}

function expectStrength({ asymmetricKeyDetails }: KeyObject) {
  const { modulusLength = 0, publicExponent = 0n } = asymmetricKeyDetails ?? {};
  if (modulusLength < MIN_RSA_BITS || modulusLength > MAX_RSA_BITS) throw new Error('RSA key size');
  if (publicExponent < 3n || publicExponent > MAX_RSA_EXPONENT || publicExponent % 2n === 0n)
    throw new Error('RSA exponent');
}

/** Verifies a registration response (WebAuthn L3 §7.1) and returns the credential. Throws RefusalError 400. */
export async function verifyRegistration(
  body: JsonObject,
  clientData: ClientData,
  party: OwnOrigin,
): Promise<NewCredential> {
  try {
    const expected = expectedOf(clientData, party);
    const response = body as unknown as RegistrationResponseJSON;
    const attestation = acceptedAttestation(response.response.attestationObject);
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      ...expected,
      response,
      supportedAlgorithmIDs: ACCEPTED_ALGORITHMS,
    });
    if (!verified) throw new Error('attestation');
    const { aaguid, credential, credentialBackedUp, credentialDeviceType } = registrationInfo;
    if (credential.id !== response.id) throw new Error('the attested id is another one');
    importPublicKey(credential.publicKey, attestation.algorithm);
    return {
      id: credential.id,
      rpId: party.hostname,
      publicKey: credential.publicKey,
      signCount: credential.counter,
      transports: acceptedTransports(response.response.transports),
      backupEligible: credentialDeviceType === 'multiDevice',
      backedUp: credentialBackedUp,
      aaguid: aaguid === NO_AAGUID ? null : aaguid,
    };
  } catch (cause) {
    throw notVerified(cause);
  }
}

/** The AAGUID of an authenticator that does not report its model. */
const NO_AAGUID = '00000000-0000-0000-0000-000000000000';
