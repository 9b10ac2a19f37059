import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { type OwnOrigin, RefusalError } from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import { type ClientData, expectedOf, notVerified } from '../ceremony.js';
import type { Asserted, Credential } from './credential.js';

/** Whether the user handle of an assertion, when there is one, is the owner's user id. */
export function isOwner({ response }: JsonObject, userId: string): boolean {
  const { userHandle } = (response ?? {}) as { userHandle?: unknown };
  if (userHandle === undefined || userHandle === null) return true;
  return userHandle === Buffer.from(userId).toString('base64url');
}

/** Verifies an assertion (WebAuthn L3 §7.2) and returns what the authenticator reports. Throws RefusalError 400. */
export async function verifyAssertion(
  body: JsonObject,
  clientData: ClientData,
  party: Pick<OwnOrigin, 'origin' | 'hostname'>,
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

/**
 * 400: the passkey was verified, but its signature counter is not greater than the last one seen, or its eligibility
 * for backup is another one: it, or what was stored of it, may be a copy (WebAuthn L3 §7.2, steps 17 and 22).
 */
export class ChangedPasskeyError extends RefusalError {
  constructor(
    readonly change: NonNullable<ReturnType<typeof changeOf>>,
    readonly userId: string,
  ) {
    super(400, notVerified(new Error(change)).message);
  }
}
