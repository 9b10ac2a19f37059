import { type RegistrationResponseJSON, verifyRegistrationResponse } from '@simplewebauthn/server';
import type { OwnOrigin } from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { acceptedTransports, type Credential } from '../credential/credential.js';
import { ACCEPTED_ALGORITHMS } from './algorithms.js';
import { acceptedAttestation } from './attestation.js';
import { notVerified } from './ceremony.error.js';
import { type ClientData, expectedOf } from './client-data.js';
import { importPublicKey } from './public-key.js';

/**
 * Verifies a registration response (WebAuthn L3 §7.1) and returns the credential it attests,
 * without its owner. Throws RefusalError 400.
 */
export async function verifyRegistration(
  body: JsonObject,
  clientData: ClientData,
  relyingParty: OwnOrigin,
): Promise<Omit<Credential, 'userId'>> {
  try {
    return await attestedCredential(body, clientData, relyingParty);
  } catch (cause) {
    throw notVerified(cause);
  }
}

async function attestedCredential(body: JsonObject, clientData: ClientData, party: OwnOrigin) {
  const expected = expectedOf(clientData, party);
  const response = body as unknown as RegistrationResponseJSON;
  const attestation = acceptedAttestation(response.response.attestationObject);
  const verification = await verifyRegistrationResponse({
    ...expected,
    response,
    supportedAlgorithmIDs: ACCEPTED_ALGORITHMS,
  });
  if (!verification.verified) throw new Error('attestation');
  const { aaguid, credential, credentialBackedUp, credentialDeviceType } =
    verification.registrationInfo;
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
}

/** The AAGUID of an authenticator that does not report its model. */
const NO_AAGUID = '00000000-0000-0000-0000-000000000000';
