import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  RefusalError,
  type Session,
  SessionsService,
  type User,
  UsersService,
} from '#libs/accounts';
import { type Credential, MAX_CREDENTIALS_PER_USER } from '../credentials/credential.js';
import { CredentialsService } from '../credentials/credentials.service.js';

/** Puts a verified passkey into an account, a new one or the one that is signed in. */
@Injectable()
export class EnrolmentService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Creates user, passkey and session together or not at all, and returns the session token.
   * Throws RefusalError 409 when the passkey exists.
   */
  async createAccount(
    user: User,
    passkey: Omit<Credential, 'userId'>,
    origin: string,
    replaced: Session | undefined,
  ): Promise<string> {
    return this.dataSource.transaction(async (manager) => {
      await this.users.insert(manager, user);
      await this.credentials.insert(manager, { ...passkey, userId: user.id });
      return this.sessions.start(manager, user.id, origin, replaced);
    });
  }

  /** The passkeys an account has already; throws RefusalError 409 when it can have no more. */
  async existingPasskeys(user: User) {
    const existing = await this.credentials.ofUser(user.id);
    if (existing.length >= MAX_CREDENTIALS_PER_USER) throw accountIsFull();
    return existing;
  }

  /** Throws RefusalError 409 when the passkey exists or the account is full; parallel calls too. */
  async addPasskey(user: User, passkey: Omit<Credential, 'userId'>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lock(manager, user.id))) throw signInAgain();
      const count = await this.credentials.count(manager, user.id);
      if (count >= MAX_CREDENTIALS_PER_USER) throw accountIsFull();
      await this.credentials.insert(manager, { ...passkey, userId: user.id });
    });
  }
}

const accountIsFull = () =>
  new RefusalError(409, `this account has ${MAX_CREDENTIALS_PER_USER} passkeys, which is the most`);

export const signInAgain = () => new RefusalError(403, 'sign in again to add a passkey');
