import { Injectable } from '@nestjs/common';
import { DataSource, type EntityManager } from 'typeorm';
import { RefusalError } from '../http/refusal.error.js';
import { RecoveryCodeStore } from '../recovery/recovery-code.store.js';
import type { EndedSession } from '../security-event/security-event.service.js';
import type { Session } from '../session/session.js';
import { FreshnessService } from '../session/freshness.service.js';
import { SessionStore } from '../session/session.store.js';
import type { UserEntity } from '../user/user.entity.js';
import type { User } from '../user/user.js';
import { type UserPageRequest, UserStore } from '../user/user.store.js';

/** Accounts for administrators. A disabled one has no sessions, and none can begin, not even in parallel. */
@Injectable()
export class UserDirectoryService {
  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserStore,
    private readonly sessions: SessionStore,
    private readonly recoveryCodes: RecoveryCodeStore,
  ) {}

  /** @throws NotFoundException */
  async list(page: UserPageRequest) {
    return this.users.list(page);
  }

  /** Throws RefusalError 404. */
  async get(id: string): Promise<UserEntity> {
    const found = await this.users.find(id);
    if (!found) throw unknownUser();
    return found;
  }

  /** Runs `work` in a transaction that locks the account, so that it is not deleted. Throws RefusalError 404. */
  async whileThere(id: string, work: (manager: EntityManager) => Promise<void>): Promise<void> {
    await this.dataSource.transaction(async (manager) => {
      if (!(await this.users.lock(manager, id))) throw unknownUser();
      await work(manager);
    });
  }

  /** Disables the account, deletes its recovery link and returns the sessions this ended. Throws RefusalError 404. */
  async disable(userId: string): Promise<EndedSession[]> {
    return this.dataSource.transaction(async (manager) => {
      const user = await this.users.disable(manager, userId);
      if (!user) throw unknownUser();
      await this.recoveryCodes.deleteLink(manager, userId);
      return this.sessions.endAll(manager, user);
    });
  }

  /** Makes passkeys, recovery codes and apps valid again; sessions and the link stay gone. Throws RefusalError 404. */
  async enable(userId: string): Promise<void> {
    if (!(await this.users.enable(userId))) throw unknownUser();
  }
}

export const unknownUser = () => new RefusalError(404, 'there is no user of that id');

/** Deletes or keeps further data of an account, inside the transaction that deletes the account. */
type DeletionHook = (manager: EntityManager, userId: string) => Promise<void>;

@Injectable()
export class UserDeletionService {
  private readonly hooks: DeletionHook[] = [];

  constructor(
    private readonly dataSource: DataSource,
    private readonly users: UserStore,
    private readonly sessions: SessionStore,
    private readonly freshness: FreshnessService,
  ) {}

  /** Adds a step that runs before each deletion, for data that no foreign key removes. */
  before(hook: DeletionHook): void {
    this.hooks.push(hook);
  }

  /**
   * Deletes the account and returns the sessions this ended; undefined when the account does not exist, or when the
   * session `requestedBy` has ended. Throws RefusalError 403 unless that session is fresh.
   */
  async delete(user: User, requestedBy?: Session): Promise<EndedSession[] | undefined> {
    return this.dataSource.transaction(async (manager) => {
      const isThere = requestedBy
        ? await this.sessions.lock(manager, requestedBy)
        : await this.users.lock(manager, user.id);
      if (!isThere) return undefined;
      if (requestedBy) await this.freshness.expect(requestedBy, undefined, manager);
      for (const hook of this.hooks) await hook(manager, user.id);
      const ended = await this.sessions.endAll(manager, user);
      await this.users.delete(manager, user.id);
      return ended;
    });
  }
}
