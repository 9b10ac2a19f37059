import { Injectable } from '@nestjs/common';
import { DataSource } from 'typeorm';
import { SessionsService, SignUpService, type User, UsersService } from '#libs/accounts';
import type { SignUpChallenge } from '../challenge/challenge.store.js';
import type { NewCredential } from '../credential/credential.js';
import { CredentialsService } from '../credential/credential.store.js';
import type { SeenBrowser } from './seen-browser.js';

/** A new account: its user, with the token of its session and the id of the invite that it used. */
export interface NewAccount {
  readonly user: User;
  readonly token: string;
  readonly inviteId: string | undefined;
}

/** Ends a sign-up: creates an account with its first credential. */
@Injectable()
export class NewAccountService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly signUps: SignUpService,
    private readonly users: UsersService,
    private readonly credentials: CredentialsService,
    private readonly sessions: SessionsService,
  ) {}

  /**
   * Takes the use of an invite and creates user, credential and session, in one transaction. Throws RefusalError
   * 403 when the applicant may no longer have an account.
   */
  async create(
    issued: SignUpChallenge,
    credential: NewCredential,
    { session, browser }: SeenBrowser,
  ): Promise<NewAccount> {
    await this.signUps.expectWelcome(issued);
    const { origin, displayName, inviteHash } = issued;
    const user: User = { id: issued.userId, displayName };
    const began = { by: 'registration', credentialId: credential.id } as const;
    return this.dataSource.transaction(async (manager) => {
      const inviteId = await this.signUps.spendInvite(manager, inviteHash);
      await this.users.insert(manager, user);
      await this.credentials.insert(manager, { ...credential, userId: user.id });
      const asked = { userId: user.id, origin, browser, began };
      return { user, inviteId, token: await this.sessions.start(manager, asked, session) };
    });
  }
}
