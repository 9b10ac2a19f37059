import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RefusalError } from '../http/refusal.error.js';
import { generateId } from '../secret.js';
import type { SignedIn } from '../session/session.js';
import { BrowserSessionsService, type SignInContext } from '../session/session.service.js';
import type { ExternalIdentity } from '../sign-up/account-policy.js';
import { SignUpService } from '../sign-up/sign-up.service.js';
import type { User } from '../user/user.js';
import { AccountDisabledError, UserStore } from '../user/user.store.js';
import { expectIdentity, nameOf } from './external-identity.js';
import { ExternalIdentityStore } from './external-identity.store.js';

/** A person who was identified elsewhere. */
export interface ExternalPerson extends ExternalIdentity {
  /** For a new account; one that breaks the rules of display names is mended or replaced. */
  readonly displayName?: string | undefined;
  /** Takes the place of the issuer's host in the name of an account whose `displayName` cannot be used. */
  readonly issuerName?: string | undefined;
}

export interface ExternalAdmission {
  readonly origin: string;
  /** Whether `AccountPolicy.signUp` applies; `AccountPolicy.refusalOf` always does. */
  readonly signUpApplies: boolean;
}

/** Finds or creates the accounts of people who were identified elsewhere, and signs them in. */
@Injectable()
export class ExternalAccountsService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly identities: ExternalIdentityStore,
    private readonly users: UserStore,
    private readonly signUps: SignUpService,
    private readonly sessions: BrowserSessionsService,
  ) {}

  /** The enabled account of an identity; undefined without one. Throws RefusalError 400, and AccountDisabledError. */
  async find(person: ExternalIdentity): Promise<User | undefined> {
    const linked = await this.identities.find(expectIdentity(person));
    if (linked?.isDisabled) throw new AccountDisabledError(linked.user.id);
    return linked?.user;
  }

  /** As `find`, but creates a missing account, once for parallel calls. Throws also RefusalError 403. */
  async findOrCreate(
    person: ExternalPerson,
    admission: ExternalAdmission,
  ): Promise<{ readonly user: User; readonly isNew: boolean }> {
    const found = await this.find(person);
    if (found) return { user: found, isNew: false };
    const created = await this.create(person, admission);
    if (created) return { user: created, isNew: true };
    const linkedMeanwhile = await this.find(person);
    if (linkedMeanwhile) return { user: linkedMeanwhile, isNew: false };
    throw justChanged();
  }

  /** Keeps the link of an identity until the transaction ends. False when the account no longer has it. */
  async holdLink(manager: EntityManager, person: ExternalIdentity, userId: string) {
    return this.identities.hold(manager, person, userId);
  }

  /**
   * Begins a session of the person's account in place of the carried one. Throws AccountDisabledError, and RefusalError
   * 503 if the account was deleted or unlinked since it was found.
   */
  async startSession(
    user: User,
    person: ExternalIdentity,
    context: SignInContext,
  ): Promise<SignedIn> {
    const { carried } = context;
    const session = { ...context, userId: user.id, began: { by: 'external' } } as const;
    const token = await this.dataSource.transaction(async (manager) => {
      if (carried) await this.users.lockWithCarried(manager, user.id, carried.user);
      const isThere = await this.users.expectEnabled(manager, user.id);
      if (!isThere || !(await this.holdLink(manager, person, user.id))) throw justChanged();
      return this.sessions.start(manager, session);
    });
    const surplus = await this.sessions.endSurplus(user, token);
    return { user, token, endedSessions: carried ? [carried, ...surplus] : surplus };
  }

  /** Undefined when the identity has been linked meanwhile. */
  private async create(
    person: ExternalPerson,
    { origin, signUpApplies }: ExternalAdmission,
  ): Promise<User | undefined> {
    const { issuer, subject } = person;
    const displayName = nameOf(person, person.displayName, person.issuerName);
    const user = { id: generateId(), displayName };
    const applicant = { displayName, origin, identity: { issuer, subject } };
    await this.signUps.expectAdmitted(applicant, signUpApplies);
    return this.dataSource
      .transaction(async (manager) => {
        await this.users.insert(manager, user);
        if (!(await this.identities.link(manager, person, user.id))) throw new LinkedMeanwhile();
        return user;
      })
      .catch((error: unknown) => {
        if (error instanceof LinkedMeanwhile) return undefined;
        throw error;
      });
  }
}

/** For an account that a parallel call unlinked, deleted or created. */
const justChanged = () =>
  new RefusalError(503, 'this account has just been changed; try again', { 'Retry-After': '1' });

/** Rolls back the account whose identity a parallel call linked first. */
class LinkedMeanwhile extends Error {}
