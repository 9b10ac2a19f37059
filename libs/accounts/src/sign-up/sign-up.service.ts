import { Injectable } from '@nestjs/common';
import type { EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/platform';
import { RefusalError } from '../refusal.error.js';
import { parseDisplayName } from '../users/display-name.js';
import { displayNameFault } from '../users/display-name-fault.js';
import { AccountPolicy, type Applicant } from './account-policy.js';
import { MAX_INVITE_LENGTH } from './invite-code.js';
import { InvitesService } from './invites.service.js';

/** A sign-up that may begin; `inviteHash` is kept until it ends, the code is not. */
export interface SignUpRequest extends Applicant {
  readonly inviteHash?: string | undefined;
}

/** Whether somebody gets an account, asked when a sign-up begins and when it ends. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly policy: AccountPolicy,
    private readonly invites: InvitesService,
  ) {}

  /**
   * Reads `displayName` and `invite` of what was sent. Stores nothing. Throws RefusalError 403 where there
   * are no new accounts, 400 for what is malformed, and 403 with the reason for whoever may have none.
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

  /** Throws RefusalError 403 unless the policy lets this one in. Asks nothing about invites. */
  async expectWelcome({ displayName, origin }: Applicant): Promise<void> {
    this.expectOffered();
    const refusal = await this.policy.refusalOf({ displayName, origin });
    if (refusal !== undefined) throw new RefusalError(403, refusal);
  }

  /**
   * Spends a use of the invite inside the transaction that makes the account, and returns the id of the
   * invite; undefined where none is wanted. Throws RefusalError 403 when it is not good any more.
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

/** What was typed, trimmed; empty for nothing. */
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
