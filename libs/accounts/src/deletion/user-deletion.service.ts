import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountSessionsService } from '../session/session.store.js';
import { lockSession } from '../session/session.entity.js';
import type { EndedSession, Session } from '../session/session.js';
import type { User } from '../user/user.js';
import { UserEntity } from '../user/user.entity.js';
import { UsersService } from '../user/users.service.js';

/** Deletes or keeps further data of an account, inside the transaction that deletes the account. */
type Farewell = (manager: EntityManager, userId: string) => Promise<void>;

/** Deletes an account and all its data in one transaction. */
@Injectable()
export class UserDeletionService {
  private readonly farewells: Farewell[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly sessions: AccountSessionsService,
  ) {}

  /** Adds a step that runs before each deletion, for data that no foreign key removes. */
  before(farewell: Farewell): void {
    this.farewells.push(farewell);
  }

  /**
   * Deletes the account and returns the sessions that this ended, for the security event `account-deleted`. Returns
   * undefined when the account does not exist (so parallel calls delete it once) and when `asking`, the session
   * that requested it, has ended.
   */
  async delete(
    user: User,
    asking?: Pick<Session, 'tokenHash'>,
  ): Promise<EndedSession[] | undefined> {
    return this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lock(manager, user.id))) return undefined;
      if (asking && !(await lockSession(manager, asking))) return undefined;
      for (const farewell of this.farewells) await farewell(manager, user.id);
      const ended = await this.sessions.endAll(manager, user);
      await manager.delete(UserEntity, { id: user.id });
      return ended;
    });
  }
}
