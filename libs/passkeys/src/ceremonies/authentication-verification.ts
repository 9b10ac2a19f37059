import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { OwnOrigin } from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import type { Asserted, Credential } from '../credentials/credential.js';
import { notVerified } from './ceremony.error.js';
import { type ClientData, expectedOf } from './client-data.js';

/**
 * Verifies an assertion (WebAuthn L3 §7.2) against the stored credential and returns what the authenticator
 * tells: its new signature counter, for {@link isReversed} to judge, and backup state. Throws RefusalError 400.
 */
export async function verifyAuthentication(
  body: JsonObject,
  clientData: ClientData,
  relyingParty: OwnOrigin,
  credential: Credential,
): Promise<Asserted> {
  try {
    return await asserted(body, clientData, relyingParty, credential);
  } catch (cause) {
    throw notVerified(cause);
  }
}

/** Whether a counter that counts did not grow; one that stays 0 does not count (§7.2, step 22). */
export const isReversed = (newCount: number, { signCount }: Credential) =>
  (newCount > 0 || signCount > 0) && newCount <= signCount;

/** The library would look at the counter before the signature, when anybody may have made it up. */
async function asserted(
  body: JsonObject,
  clientData: ClientData,
  party: OwnOrigin,
  { id, publicKey, transports, backupEligible, rpId }: Credential,
) {
  const expected = expectedOf(clientData, party);
  if (rpId !== party.hostname) throw new Error('Unexpected response origin');
  const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    ...expected,
    response: body as unknown as AuthenticationResponseJSON,
    credential: { id, publicKey, counter: 0, transports },
  });
  if (!verified) throw new Error('signature');
  const eligible = authenticationInfo.credentialDeviceType === 'multiDevice';
  if (eligible !== backupEligible) throw new Error('backup eligibility changed');
  return {
    signCount: authenticationInfo.newCounter,
    backedUp: authenticationInfo.credentialBackedUp,
  };
}
