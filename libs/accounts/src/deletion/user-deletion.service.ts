import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { AccountSessionsService } from '../sessions/account-sessions.service.js';
import { lockSession } from '../sessions/session.entity.js';
import type { EndedSession, Session } from '../sessions/session.js';
import type { User } from '../users/user.js';
import { UserEntity } from '../users/user.entity.js';
import { UsersService } from '../users/users.service.js';

/** What else goes with an account, or has to stay of it; inside the transaction that deletes it. */
type Farewell = (manager: EntityManager, userId: string) => Promise<void>;

/** Deletes accounts, with all that belongs to them, or not at all. */
@Injectable()
export class UserDeletionService {
  private readonly farewells: Farewell[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UsersService,
    private readonly sessions: AccountSessionsService,
  ) {}

  /** From now on done before an account goes: for what no foreign key takes along. */
  before(farewell: Farewell): void {
    this.farewells.push(farewell);
  }

  /**
   * Deletes the account; returns the sessions that ended by it, for the security event `account-deleted`.
   * Undefined when there was none, also for all but one of parallel calls, and when `asking`, the session
   * that wants it, has ended meanwhile.
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
