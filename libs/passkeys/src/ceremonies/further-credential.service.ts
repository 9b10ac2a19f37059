import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { lockSession, RefusalError, type Session, UsersService } from '#libs/accounts';
import { MAX_CREDENTIALS_PER_USER, type NewCredential } from '../credential/credential.js';
import { accountIsFull, CredentialsService } from '../credential/credential.store.js';

/** Adds a credential to an account that already has one. */
@Injectable()
export class FurtherCredentialService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly credentials: CredentialsService,
  ) {}

  /**
   * Of parallel calls for a nearly full account, only as many succeed as it has room for. A session that has ended
   * since it was looked up adds nothing.
   */
  async add(session: Session, credential: NewCredential): Promise<void> {
    const { user } = session;
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lock(manager, user.id))) throw signInAgain();
      if (!(await lockSession(manager, session))) throw signInAgain();
      const count = await this.credentials.count(manager, user.id);
      if (count >= MAX_CREDENTIALS_PER_USER) throw accountIsFull();
      await this.credentials.insert(manager, { ...credential, userId: user.id });
    });
  }
}

export const signInAgain = () => new RefusalError(403, 'sign in again to add a passkey');
