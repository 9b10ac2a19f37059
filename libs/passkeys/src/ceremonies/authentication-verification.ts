import {
  type AuthenticationResponseJSON,
  verifyAuthenticationResponse,
} from '@simplewebauthn/server';
import type { OwnOrigin } from '#libs/accounts';
import type { JsonObject } from '#libs/json';
import type { Credential } from '../credentials/credential.js';
import { notVerified } from './ceremony.error.js';
import { type ClientData, expectedOf } from './client-data.js';

/**
 * Verifies an assertion (WebAuthn L3 §7.2) against the stored credential and returns the
 * authenticator's new signature counter. Throws RefusalError 400.
 */
export async function verifyAuthentication(
  body: JsonObject,
  clientData: ClientData,
  relyingParty: OwnOrigin,
  credential: Credential,
): Promise<number> {
  try {
    return await assertedCounter(body, clientData, relyingParty, credential);
  } catch (cause) {
    throw notVerified(cause);
  }
}

async function assertedCounter(
  body: JsonObject,
  clientData: ClientData,
  party: OwnOrigin,
  { id, publicKey, signCount, transports, backupEligible, rpId }: Credential,
) {
  const expected = expectedOf(clientData, party);
  if (rpId !== party.hostname) throw new Error('Unexpected response origin');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...expected,
    response: body as unknown as AuthenticationResponseJSON,
    credential: { id, publicKey, counter: signCount, transports },
  });
  if (!verified) throw new Error('signature');
  const eligible = authenticationInfo.credentialDeviceType === 'multiDevice';
  if (eligible !== backupEligible) throw new Error('backup eligibility changed');
  return authenticationInfo.newCounter;
}
