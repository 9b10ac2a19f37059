import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/platform';
import { RefusalError } from '../http/refusal.error.js';
import { displayNameFault, parseDisplayName } from '../user/display-name.js';
import { AccountPolicy, type Applicant } from './account-policy.js';
import { InvitesService, MAX_INVITE_LENGTH } from './invite.service.js';

/** A sign-up that may begin; `inviteHash` is kept until the sign-up ends, the code is not. */
export interface SignUpRequest extends Applicant {
  readonly inviteHash?: string | undefined;
}

/** Decides whether an applicant gets an account, when a sign-up begins and again when it ends. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly policy: AccountPolicy,
    private readonly invites: InvitesService,
  ) {}

  /**
   * Reads `displayName` and `invite` from the body; stores nothing. Throws RefusalError 403 when sign-up is closed,
   * 400 for malformed values, and 403 with the reason for an applicant who is refused.
   */
  async begin(origin: string, fields: JsonObject): Promise<SignUpRequest> {
    this.expectOffered();
    const displayName = parseDisplayName(fields['displayName']);
    if (displayName === undefined) {
      throw new RefusalError(400, `displayName ${displayNameFault(fields['displayName'])}`);
    }
    const typed = parseInvite(fields['invite']);
    const applicant = { displayName, origin };
    const inviteHash = await this.expectInvited(typed);
    await this.expectWelcome(applicant);
    return { ...applicant, inviteHash };
  }

  /** Throws RefusalError 403 unless the policy accepts the applicant. Does not check invites. */
  async expectWelcome({ displayName, origin }: Applicant): Promise<void> {
    this.expectOffered();
    const refusal = await this.policy.refusalOf({ displayName, origin });
    if (refusal !== undefined) throw new RefusalError(403, refusal);
  }

  /**
   * Spends a use of the invite inside the transaction that creates the account, and returns the id of the invite;
   * undefined where no invite is needed. Throws RefusalError 403 when the invite is no longer valid.
   */
  async spendInvite(manager: EntityManager, inviteHash?: string): Promise<string | undefined> {
    if (this.policy.signUp !== 'invite') return undefined;
    if (inviteHash === undefined) throw inviteWanted();
    return this.invites.spend(manager, inviteHash);
  }

  private expectOffered() {
    if (this.policy.signUp === 'closed') throw closed();
  }

  private async expectInvited(typed: string): Promise<string | undefined> {
    if (this.policy.signUp !== 'invite') return undefined;
    if (typed === '') throw inviteWanted();
    return this.invites.expectGood(typed);
  }
}

/** The typed text, trimmed; empty when absent. */
function parseInvite(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value === 'string' && value.length <= MAX_INVITE_LENGTH) return value.trim();
  throw new RefusalError(400, `invite has to be a text of at most ${MAX_INVITE_LENGTH} characters`);
}

const closed = () =>
  new RefusalError(
    403,
    'this service is not accepting new accounts; contact an administrator of this service',
  );

const inviteWanted = () =>
  new RefusalError(
    403,
    'you need an invitation code to create an account; ask an administrator of this service for one',
    {},
    { reason: 'invite' },
  );
