import { Injectable, type OnModuleInit } from '@nestjs/common';
import { DataSource } from 'typeorm';
import {
  AccountSessionsService,
  type EndedSession,
  lockSession,
  RefusalError,
  type Session,
  UserDeletionService,
  UsersService,
} from '#libs/accounts';
import { MAX_CREDENTIALS_PER_USER } from './credential.js';
import { CredentialEntity } from './credential.entity.js';
import { bury } from './credential.store.js';

/** The passkeys of an account, for their owner. */
@Injectable()
export class AccountCredentialsService implements OnModuleInit {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly sessions: AccountSessionsService,
    private readonly deletions: UserDeletionService,
  ) {}

  /** When an account is deleted, its tombstones stay, those of its last credentials included. */
  onModuleInit() {
    this.deletions.before(async (manager, userId) => {
      const left = await manager.find(CredentialEntity, {
        select: { id: true },
        where: { userId },
      });
      await bury(
        manager,
        userId,
        left.map(({ id }) => id),
      );
    });
  }

  /** All passkeys of the account, newest first. */
  async list(userId: string): Promise<CredentialEntity[]> {
    return this.dataSource.manager.find(CredentialEntity, {
      where: { userId },
      order: { createdAt: 'DESC', id: 'ASC' },
      take: MAX_CREDENTIALS_PER_USER,
    });
  }

  /** Throws RefusalError 404 when the account has no passkey with that id. */
  async get(userId: string, id: string): Promise<CredentialEntity> {
    const found = await this.dataSource.manager.findOneBy(CredentialEntity, { id, userId });
    if (!found) throw noSuchPasskey();
    return found;
  }

  /** Returns the renamed credential. Throws as `get`. */
  async rename(userId: string, id: string, name: string): Promise<CredentialEntity> {
    await this.dataSource.manager.update(CredentialEntity, { id, userId }, { name });
    return this.get(userId, id);
  }

  /**
   * Deletes a credential of the session's account, and ends the sessions that began with it except this one;
   * returns those. Parallel calls run one after the other, so that the account keeps its last credential. Throws
   * RefusalError 401 when the session has ended, 404 and 409.
   */
  async delete(session: Session, id: string): Promise<EndedSession[]> {
    const { user } = session;
    return this.dataSource.transaction(async (manager) => {
      const isSignedIn =
        (await this.users.lock(manager, user.id)) && (await lockSession(manager, session));
      if (!isSignedIn) throw new RefusalError(401, 'sign in first');
      if (!(await manager.existsBy(CredentialEntity, { id, userId: user.id })))
        throw noSuchPasskey();
      const count = await manager.countBy(CredentialEntity, { userId: user.id });
      if (count === 1) throw lastPasskey();
      await bury(manager, user.id, [id]);
      await manager.delete(CredentialEntity, { id });
      return this.sessions.endBegunWith(manager, user, id, session);
    });
  }
}

const noSuchPasskey = () => new RefusalError(404, 'no such passkey');

const lastPasskey = () =>
  new RefusalError(
    409,
    'this is your last passkey, and you could not sign in without it; add another one first',
  );
