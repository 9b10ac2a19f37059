import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import type { OwnOrigin } from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { type ClientData, expectedOf, notVerified } from '../ceremony.js';
import type { Asserted, Credential } from '../credential/credential.js';

/** Whether the user handle of an assertion, when there is one, is the owner's user id. */
export function isOwner({ response }: JsonObject, userId: string): boolean {
  const { userHandle } = (response ?? {}) as { userHandle?: unknown };
  if (userHandle === undefined || userHandle === null) return true;
  return userHandle === Buffer.from(userId).toString('base64url');
}

/**
 * Verifies an assertion (WebAuthn L3 §7.2) against the stored credential and returns what the authenticator
 * reports: its new signature counter, its backup state and its eligibility for it, which {@link changeOf} compares.
 * Throws RefusalError 400.
 */
export async function verifyAuthentication(
  body: JsonObject,
  clientData: ClientData,
  party: OwnOrigin,
  { id, publicKey, transports, rpId }: Credential,
): Promise<Asserted & Pick<Credential, 'backupEligible'>> {
  try {
    const expected = expectedOf(clientData, party);
    if (rpId !== party.hostname) throw new Error('Unexpected response origin');
    const { verifyAuthenticationResponse } = await import('@simplewebauthn/server');
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      ...expected,
      response: body as unknown as AuthenticationResponseJSON,
      // The library checks the counter before the signature, while it may still be forged: 0 always passes.
      credential: { id, publicKey, counter: 0, transports },
    });
    if (!verified) throw new Error('signature');
    const { newCounter, credentialBackedUp, credentialDeviceType } = authenticationInfo;
    const backupEligible = credentialDeviceType === 'multiDevice';
    return { signCount: newCounter, backedUp: credentialBackedUp, backupEligible };
  } catch (cause) {
    throw notVerified(cause);
  }
}

/** How a verified passkey differs from what is stored of it, as the event that tells of it; undefined if it does not. */
export function changeOf(
  { signCount, backupEligible }: Pick<Credential, 'signCount' | 'backupEligible'>,
  stored: Credential,
) {
  if (backupEligible !== stored.backupEligible) return 'backup-eligibility-changed';
  return isReversed(signCount, stored) ? 'signature-counter-reversed' : undefined;
}

/** Whether a signature counter in use did not increase; one that stays 0 is not in use (§7.2, step 22). */
const isReversed = (newCount: number, { signCount }: Credential) =>
  (newCount > 0 || signCount > 0) && newCount <= signCount;
