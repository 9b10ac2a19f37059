import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import { RefusalError, SecurityEventsService, type User } from '#libs/accounts';
import { isJsonObject } from '#libs/platform';
import { readClientData } from '../ceremony.js';
import { ChallengesService } from '../challenge/challenge.service.js';
import { CHALLENGE_LIFETIME_MS } from '../challenge/challenge.store.js';
import type { Use } from '../challenge/sign-in-challenge.store.js';
import { changeOf, isOwner, verifyAssertion } from '../credential/assertion.js';
import { type Credential, isCredentialId } from '../credential/credential.js';
import { CredentialStore } from '../credential/credential.store.js';

type Account = Pick<User, 'id'>;

/**
 * Has a person who is signed in confirm one thing with a passkey of the account. `subject` names that thing for good:
 * as a hash of it, so that what was confirmed cannot be changed afterwards. No session begins, and none becomes fresh.
 */
@Injectable()
export class ConfirmationsService {
  constructor(
    private readonly challenges: ChallengesService,
    private readonly credentials: CredentialStore,
    private readonly events: SecurityEventsService,
  ) {}

  /**
   * Options for `navigator.credentials.get` (WebAuthn L3 §5.5), whose challenge is good for 5 minutes and for this
   * account, origin and subject alone. Throws RefusalError 403 when the account has no passkey for the origin.
   */
  async options({ id: userId }: Account, origin: string, subject: string) {
    const { hostname } = new URL(origin);
    const existing = await this.credentials.list(userId);
    const usable = existing.filter(({ rpId }) => rpId === hostname);
    if (usable.length === 0) throw noPasskey();
    const { generateAuthenticationOptions } = await import('@simplewebauthn/server');
    return generateAuthenticationOptions({
      challenge: await this.challenges.issueFor(useOf(userId, origin, subject)),
      rpID: hostname,
      timeout: CHALLENGE_LIFETIME_MS,
      userVerification: 'required',
      allowCredentials: usable.map(({ id, transports }) => ({ id, transports })),
    });
  }

  /**
   * Resolves when the assertion confirms the subject: ask `expectHeld` in the transaction that follows from it, when the
   * account is locked. Both throw RefusalError 403, which does not tell causes apart.
   */
  async verify(user: Account, origin: string, subject: string, assertion: unknown) {
    const confirming = await this.confirming(user, origin, subject, assertion).catch(
      (error: unknown) => {
        if (error instanceof RefusalError && error.status === 400) throw notConfirmed(error);
        throw error;
      },
    );
    if (!confirming) throw notConfirmed();
    const { id } = confirming;
    return {
      expectHeld: async (manager: EntityManager) => {
        if (!(await this.credentials.exists(id, manager))) throw notConfirmed();
      },
    };
  }

  /** The passkey that confirms the subject. Throws RefusalError 400 for an assertion that does not verify. */
  private async confirming(
    { id: userId }: Account,
    origin: string,
    subject: string,
    assertion: unknown,
  ): Promise<Credential | undefined> {
    // 1. The challenge is taken back, whatever it was issued for.
    const body = isJsonObject(assertion) ? assertion : {};
    const clientData = readClientData(body);
    const use = useOf(userId, origin, subject);
    const isIssued = clientData && (await this.challenges.takeFor(clientData.challenge, use));
    if (!isIssued) return undefined;
    // 2. The credential is the account's, and so is the user handle, when there is one.
    if (!isCredentialId(body['id']) || !isOwner(body, userId)) return undefined;
    const found = await this.credentials.find(body['id']);
    if (found?.owner?.id !== userId) return undefined;
    const { credential } = found;
    // 3. The assertion is verified, all but what may have changed.
    const party = { origin, hostname: new URL(origin).hostname };
    const asserted = await verifyAssertion(body, clientData, party, credential);
    const change = changeOf(asserted, credential);
    if (change) this.events.emit({ type: change, userId, origin });
    // 4. The counter is written, if it still is the one that was read and the account is not disabled.
    const isRecorded = !change && (await this.credentials.recordUse(credential, asserted));
    return isRecorded ? credential : undefined;
  }
}

/** Ids and origins have no line breaks, so no two confirmations have one text. */
const useOf = (userId: string, origin: string, subject: string): Use => ({
  purpose: `confirm\n${userId}\n${subject}`,
  origin,
});

const noPasskey = () =>
  new RefusalError(
    403,
    'this has to be confirmed with a passkey, and your account has none for this site; add one first',
  );

const notConfirmed = (cause?: unknown) =>
  new RefusalError(
    403,
    'the passkey did not confirm this; try again, with a passkey of your account',
    {},
    { cause },
  );
