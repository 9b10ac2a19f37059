import { Injectable } from '@nestjs/common';
import { MaxLength, ValidateIf } from 'class-validator';
import { DataSource, type EntityManager } from 'typeorm';
import type { JsonObject } from '#libs/platform';
import { checked } from '../body/json-body.js';
import { RefusalError } from '../http/refusal.error.js';
import type { NewSession } from '../session/session.js';
import { BrowserSessionsService } from '../session/session.service.js';
import { IsDisplayName } from '../user/display-name.dto.js';
import type { User } from '../user/user.js';
import { UserStore } from '../user/user.store.js';
import { AccountPolicy, type Applicant } from './account-policy.js';
import { InviteStore, MAX_INVITE_LENGTH } from './invite.store.js';

class SignUpFields {
  @IsDisplayName()
  displayName!: string;

  @ValidateIf((_fields, invite) => invite !== undefined)
  @MaxLength(MAX_INVITE_LENGTH, {
    message: `invite has to be a text of at most ${MAX_INVITE_LENGTH} characters`,
  })
  invite?: string;
}

/** A sign-up that may begin; `inviteHash` is kept until the sign-up ends, the code is not. */
export interface SignUpRequest extends Applicant {
  readonly inviteHash?: string | undefined;
}

/** A new account: its user, with the token of its session and the id of the invite that it used. */
export interface NewAccount {
  readonly user: User;
  readonly token: string;
  readonly inviteId: string | undefined;
}

/** Decides whether an applicant gets an account, when a sign-up begins and again when it ends. */
@Injectable()
export class SignUpService {
  constructor(
    private readonly policy: AccountPolicy,
    private readonly invites: InviteStore,
    private readonly dataSource: DataSource,
    private readonly users: UserStore,
    private readonly sessions: BrowserSessionsService,
  ) {}

  /** Reads `displayName` and `invite`; stores nothing. Throws RefusalError 403, and 400 for malformed values. */
  async begin(origin: string, fields: JsonObject): Promise<SignUpRequest> {
    this.expectOffered();
    const { displayName, invite = '' } = await checked(SignUpFields, fields);
    const applicant = { displayName, origin };
    const inviteHash = await this.expectInvited(invite.trim());
    await this.expectAccepted(applicant);
    return { ...applicant, inviteHash };
  }

  /** Spends the invite and creates account, session and passkey in one transaction. Throws RefusalError 403. */
  async finish(
    { displayName, origin, inviteHash }: SignUpRequest,
    session: NewSession,
    addPasskey: (manager: EntityManager) => Promise<void>,
  ): Promise<NewAccount> {
    this.expectOffered();
    await this.expectAccepted({ displayName, origin });
    const user = { id: session.userId, displayName };
    return this.dataSource.transaction(async (manager) => {
      const inviteId = await this.spendInvite(manager, inviteHash);
      await this.users.insert(manager, user);
      await addPasskey(manager);
      return { user, inviteId, token: await this.sessions.start(manager, session) };
    });
  }

  /** Throws RefusalError 403 unless an applicant may have an account; `signUpApplies`: by the sign-up mode as well. */
  async expectAdmitted(applicant: Applicant, signUpApplies: boolean): Promise<void> {
    if (signUpApplies) this.expectOffered();
    if (signUpApplies && this.policy.signUp === 'invite') throw inviteWanted();
    await this.expectAccepted(applicant);
  }

  private async expectAccepted(applicant: Applicant) {
    const refusal = await this.policy.refusalOf(applicant);
    if (refusal !== undefined) throw new RefusalError(403, refusal);
  }

  private async spendInvite(manager: EntityManager, inviteHash: string | undefined) {
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
    return this.invites.expectUsable(typed);
  }
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
