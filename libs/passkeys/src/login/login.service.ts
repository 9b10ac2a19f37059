import type { AuthenticationResponseJSON } from '@simplewebauthn/server';
import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  BrowserSessionsService,
  type OwnOrigin,
  RefusalError,
  type SignedIn,
  type SignInContext,
  type User,
  UserStore,
} from '#libs/accounts';
import type { JsonObject } from '#libs/platform';
import {
  type ClientData,
  expectedOf,
  malformedId,
  notVerified,
  readClientData,
} from '../ceremony.js';
import { ChallengesService } from '../challenge/challenge.service.js';
import { type Asserted, type Credential, isCredentialId } from '../credential/credential.js';
import { CredentialStore } from '../credential/credential.store.js';

/** Login with a discoverable passkey, which identifies the user (contract, Login). */
@Injectable()
export class LoginService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialStore,
    private readonly sessions: BrowserSessionsService,
    private readonly users: UserStore,
  ) {}

  /** The steps of `login/verify`. Throws RefusalError. */
  async signIn(context: SignInContext, body: JsonObject): Promise<SignedIn> {
    // 1. The challenge is taken back, whatever it was issued for.
    const { origin, carried } = context;
    const clientData = readClientData(body);
    const issued =
      clientData && (await this.challenges.take(clientData.challenge, origin, 'login'));
    if (!issued) throw new RefusalError(400, 'sign-in expired or was already used; start again');
    // 2. The id has the form of a credential id.
    if (!isCredentialId(body['id'])) throw malformedId();
    // 3. The credential exists.
    const found = await this.credentials.find(body['id']);
    if (!found) {
      const isOurs = !clientData.framed && clientData.origin === origin;
      throw notRegistered(isOurs && (await this.credentials.wasDeleted(body['id'])));
    }
    const { credential, owner } = found;
    // 4. A user handle is the owner's.
    if (!isOwner(body, credential.userId)) {
      throw new RefusalError(400, 'this passkey belongs to another account; use another one');
    }
    // 5. The assertion is verified, all but what may have changed.
    const asserted = await verifyAuthentication(body, clientData, context, credential);
    // 6. The owner exists. After this the response is the owner's, so that a change of the passkey concerns the account.
    if (!owner) throw notRegistered();
    const change = changeOf(asserted, credential);
    if (change) throw new ChangedPasskeyError(change, owner.id);
    // 7. Counter and session are written in one statement, if the counter still is the one that was read.
    const began = { by: 'passkey', credentialId: credential.id } as const;
    const { token, values } = this.sessions.prepare({ ...context, userId: owner.id, began });
    const written = await this.credentials.signIn(credential, asserted, values);
    if (!written) throw await this.notSignedIn(owner);
    // An account has at most 100 sessions.
    const surplus = written.hasManySessions ? await this.sessions.endSurplus(owner, token) : [];
    return { user: owner, token, endedSessions: carried ? [carried, ...surplus] : surplus };
  }

  /** Why the sign-in changed nothing. Throws AccountDisabledError when the account has been disabled since. */
  private async notSignedIn({ id }: User) {
    const isThere = await this.users.expectEnabled(this.dataSource.manager, id);
    return isThere ? notVerified(new Error('signed in twice at once')) : notRegistered();
  }
}

/** Whether the user handle of an assertion, when there is one, is the owner's user id. */
function isOwner({ response }: JsonObject, userId: string): boolean {
  const { userHandle } = (response ?? {}) as { userHandle?: unknown };
  if (userHandle === undefined || userHandle === null) return true;
  return userHandle === Buffer.from(userId).toString('base64url');
}

/** Verifies an assertion (WebAuthn L3 §7.2) and returns what the authenticator reports. Throws RefusalError 400. */
async function verifyAuthentication(
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
function changeOf(
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

/** Our page has the passkey manager remove a deleted one (WebAuthn L3 §5.1.10), never one that is unknown otherwise. */
const notRegistered = (wasDeleted = false) =>
  new RefusalError(
    400,
    'this passkey is not registered here; use another, or create an account',
    wasDeleted ? { 'Passkey-Signal': 'unknown' } : {},
  );
